<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Who are you?"/>
<%@ include file="top.jspf" %>
<h1>Who are you?</h1>
<c:if test="${not empty errors}"><p class="notice" role="alert">Something is missing or wrong. Please look at the marked fields.</p></c:if>
<div class="columns">
<section aria-labelledby="known">
<h2 id="known">I have been here before</h2>
<form method="post" action="${base}/register">
<input type="hidden" name="form" value="known"><input type="hidden" name="to" value="${s:text(to)}">
<input type="hidden" name="token" value="${s:text(token)}">
<p class="field"><label for="name">User name</label>
<input id="name" name="name" value="${s:text(param.name)}" type="text" maxlength="40" autocomplete="username" autocapitalize="none" spellcheck="false" required<c:choose><c:when test="${not empty errors.name}"> aria-invalid="true" aria-describedby="name-error"</c:when></c:choose>>
<c:if test="${not empty errors.name}"><span class="wrong" id="name-error">${s:text(errors.name)}</span></c:if></p>
<p class="field"><label for="secret">Password</label>
<input id="secret" name="secret" type="password" maxlength="200" autocomplete="current-password" required<c:choose><c:when test="${not empty errors.secret}"> aria-invalid="true" aria-describedby="secret-error"</c:when></c:choose>>
<c:if test="${not empty errors.secret}"><span class="wrong" id="secret-error">${s:text(errors.secret)}</span></c:if></p>
<button class="main">Sign in</button>
</form>
<p class="hint">The invented customers are reader1, reader2 and so on. Their password is “reading”.</p>
</section>
<section aria-labelledby="fresh">
<h2 id="fresh">I am new</h2>
<form method="post" action="${base}/register">
<input type="hidden" name="form" value="new"><input type="hidden" name="to" value="${s:text(to)}"><input type="hidden" name="token" value="${s:text(token)}">
<p class="field"><label for="user">User name</label>
<input id="user" name="user" value="${s:text(param.user)}" type="text" maxlength="40" autocomplete="username" autocapitalize="none" spellcheck="false" required<c:choose><c:when test="${not empty errors.user}"> aria-invalid="true" aria-describedby="user-error"</c:when></c:choose>>
<c:if test="${not empty errors.user}"><span class="wrong" id="user-error">${s:text(errors.user)}</span></c:if></p>
<p class="field"><label for="password">Password</label><span class="hint" id="password-hint">At least 8 characters</span>
<input id="password" name="password" type="password" minlength="8" maxlength="200" autocomplete="new-password" required<c:choose><c:when test="${not empty errors.password}"> aria-invalid="true" aria-describedby="password-hint password-error"</c:when><c:otherwise> aria-describedby="password-hint"</c:otherwise></c:choose>>
<c:if test="${not empty errors.password}"><span class="wrong" id="password-error">${s:text(errors.password)}</span></c:if></p>
<p class="field"><label for="given">Given name</label>
<input id="given" name="given" value="${s:text(param.given)}" type="text" maxlength="40" autocomplete="given-name" required<c:choose><c:when test="${not empty errors.given}"> aria-invalid="true" aria-describedby="given-error"</c:when></c:choose>>
<c:if test="${not empty errors.given}"><span class="wrong" id="given-error">${s:text(errors.given)}</span></c:if></p>
<p class="field"><label for="family">Family name</label>
<input id="family" name="family" value="${s:text(param.family)}" type="text" maxlength="40" autocomplete="family-name" required<c:choose><c:when test="${not empty errors.family}"> aria-invalid="true" aria-describedby="family-error"</c:when></c:choose>>
<c:if test="${not empty errors.family}"><span class="wrong" id="family-error">${s:text(errors.family)}</span></c:if></p>
<p class="field"><label for="email">E-mail</label>
<input id="email" name="email" value="${s:text(param.email)}" type="email" maxlength="80" autocomplete="email" required<c:choose><c:when test="${not empty errors.email}"> aria-invalid="true" aria-describedby="email-error"</c:when></c:choose>>
<c:if test="${not empty errors.email}"><span class="wrong" id="email-error">${s:text(errors.email)}</span></c:if></p>
<p class="field"><label for="street">Street and number</label>
<input id="street" name="street" value="${s:text(param.street)}" type="text" maxlength="80" autocomplete="street-address" required<c:choose><c:when test="${not empty errors.street}"> aria-invalid="true" aria-describedby="street-error"</c:when></c:choose>>
<c:if test="${not empty errors.street}"><span class="wrong" id="street-error">${s:text(errors.street)}</span></c:if></p>
<p class="field"><label for="postcode">Postcode</label>
<input id="postcode" name="postcode" value="${s:text(param.postcode)}" type="text" maxlength="12" autocomplete="postal-code" required<c:choose><c:when test="${not empty errors.postcode}"> aria-invalid="true" aria-describedby="postcode-error"</c:when></c:choose>>
<c:if test="${not empty errors.postcode}"><span class="wrong" id="postcode-error">${s:text(errors.postcode)}</span></c:if></p>
<p class="field"><label for="town">Town</label>
<input id="town" name="town" value="${s:text(param.town)}" type="text" maxlength="60" autocomplete="address-level2" required<c:choose><c:when test="${not empty errors.town}"> aria-invalid="true" aria-describedby="town-error"</c:when></c:choose>>
<c:if test="${not empty errors.town}"><span class="wrong" id="town-error">${s:text(errors.town)}</span></c:if></p>
<p class="field"><label for="country">Country</label>
<input id="country" name="country" value="${s:text(param.country)}" type="text" maxlength="40" autocomplete="country-name" required<c:choose><c:when test="${not empty errors.country}"> aria-invalid="true" aria-describedby="country-error"</c:when></c:choose>>
<c:if test="${not empty errors.country}"><span class="wrong" id="country-error">${s:text(errors.country)}</span></c:if></p>
<button class="main">Register</button>
</form>
</section>
</div>
<%@ include file="end.jspf" %>
