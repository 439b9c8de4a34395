<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Check out"/>
<%@ include file="top.jspf" %>
<h1>Check out</h1>
<c:if test="${not empty scarce}"><p class="notice" role="alert">Nothing was bought: there are only ${s:text(left)} copies of “${s:text(scarce.title)}” left. Please <a href="${base}/cart">change your cart</a>.</p></c:if>
<c:if test="${repriced}"><p class="notice" role="alert">Nothing was bought: a price or your cart has changed meanwhile. Please look at the new total.</p></c:if>
<c:if test="${not empty errors}"><p class="notice" role="alert">Something is missing or wrong. Please look at the marked fields.</p></c:if>
<div class="columns">
<section class="summary" aria-labelledby="books">
<h2 id="books">Your books</h2>
<table class="lines">
<caption class="hidden">What you buy</caption>
<thead><tr><th scope="col">Book</th><th scope="col">Copies</th><th scope="col" class="number">Price</th></tr></thead>
<tbody>
<c:forEach var="row" items="${cart.rows}">
<tr><th scope="row"><img src="${base}/cover/${s:text(row.book.id)}-${s:text(row.book.cover)}.svg" alt="" width="240" height="360"><span>${s:text(row.book.title)}<span class="author">${s:text(row.book.author)}</span></span></th><td>${s:text(row.quantity)}</td><td class="number">${s:money(row.cents)}</td></tr>
</c:forEach>
</tbody>
<tfoot>
<tr><th scope="row" colspan="2">Books</th><td class="number">${s:money(cart.subtotal)}</td></tr>
<tr><th scope="row" colspan="2">Shipping</th><td class="number">${s:money(cart.shipping)}</td></tr>
<tr class="total"><th scope="row" colspan="2">Total</th><td class="number">${s:money(cart.total)}</td></tr>
</tfoot>
</table>
</section>
<form method="post" action="${base}/buy">
<input type="hidden" name="token" value="${s:text(token)}"><input type="hidden" name="ticket" value="${s:text(ticket)}"><input type="hidden" name="total" value="${s:text(cart.total)}">
<h2>Where shall we send them?</h2>
<p class="field"><label for="recipient">Name</label>
<input id="recipient" name="recipient" value="${s:text(address.recipient)}" type="text" maxlength="81" autocomplete="name" required<c:choose><c:when test="${not empty errors.recipient}"> aria-invalid="true" aria-describedby="recipient-error"</c:when></c:choose>>
<c:if test="${not empty errors.recipient}"><span class="wrong" id="recipient-error">${s:text(errors.recipient)}</span></c:if></p>
<p class="field"><label for="street">Street and number</label>
<input id="street" name="street" value="${s:text(address.street)}" type="text" maxlength="80" autocomplete="street-address" required<c:choose><c:when test="${not empty errors.street}"> aria-invalid="true" aria-describedby="street-error"</c:when></c:choose>>
<c:if test="${not empty errors.street}"><span class="wrong" id="street-error">${s:text(errors.street)}</span></c:if></p>
<p class="field"><label for="postcode">Postcode</label>
<input id="postcode" name="postcode" value="${s:text(address.postcode)}" type="text" maxlength="12" autocomplete="postal-code" required<c:choose><c:when test="${not empty errors.postcode}"> aria-invalid="true" aria-describedby="postcode-error"</c:when></c:choose>>
<c:if test="${not empty errors.postcode}"><span class="wrong" id="postcode-error">${s:text(errors.postcode)}</span></c:if></p>
<p class="field"><label for="town">Town</label>
<input id="town" name="town" value="${s:text(address.town)}" type="text" maxlength="60" autocomplete="address-level2" required<c:choose><c:when test="${not empty errors.town}"> aria-invalid="true" aria-describedby="town-error"</c:when></c:choose>>
<c:if test="${not empty errors.town}"><span class="wrong" id="town-error">${s:text(errors.town)}</span></c:if></p>
<p class="field"><label for="country">Country</label>
<input id="country" name="country" value="${s:text(address.country)}" type="text" maxlength="40" autocomplete="country-name" required<c:choose><c:when test="${not empty errors.country}"> aria-invalid="true" aria-describedby="country-error"</c:when></c:choose>>
<c:if test="${not empty errors.country}"><span class="wrong" id="country-error">${s:text(errors.country)}</span></c:if></p>
<h2>How do you pay?</h2>
<p class="field"><label for="card">Card</label>
<select id="card" name="card">
<c:forEach var="each" items="${cards}"><option<c:if test="${each eq param.card}"> selected</c:if>>${s:text(each)}</option></c:forEach>
</select></p>
<p class="field"><label for="number">Number of the card</label><span class="hint" id="number-hint">Any 16 digits will do. Nothing is charged.</span>
<input id="number" name="number" type="text" inputmode="numeric" maxlength="24" autocomplete="cc-number" required<c:choose><c:when test="${not empty errors.number}"> aria-invalid="true" aria-describedby="number-hint number-error"</c:when><c:otherwise> aria-describedby="number-hint"</c:otherwise></c:choose>>
<c:if test="${not empty errors.number}"><span class="wrong" id="number-error">${s:text(errors.number)}</span></c:if></p>
<button class="main">Buy for ${s:money(cart.total)}</button>
</form>
</div>
<%@ include file="end.jspf" %>
