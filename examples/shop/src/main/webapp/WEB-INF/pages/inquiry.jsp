<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Your orders"/>
<%@ include file="top.jspf" %>
<h1>Your orders</h1>
<c:choose>
<c:when test="${not empty visitor and empty receipts}"><p class="empty">You have not bought anything yet.</p></c:when>
<c:when test="${not empty visitor}">
<table class="list">
<caption class="hidden">Your last orders</caption>
<thead><tr><th scope="col">Order</th><th scope="col">Day</th><th scope="col" class="number">Books</th><th scope="col" class="number">Total</th></tr></thead>
<tbody>
<c:forEach var="each" items="${receipts}">
<tr><th scope="row"><a href="${base}/order?id=${s:text(each.id)}">Order ${s:text(each.id)}</a></th><td>${s:day(each.placed)}</td><td class="number">${s:text(each.copies)}</td><td class="number">${s:money(each.total)}</td></tr>
</c:forEach>
</tbody>
</table>
</c:when>
<c:otherwise>
<p>Please sign in to see your last order.</p>
<c:if test="${not empty errors}"><p class="notice" role="alert">Something is missing or wrong. Please look at the marked fields.</p></c:if>
<form class="narrow" method="post" action="${base}/inquiry">
<input type="hidden" name="token" value="${s:text(token)}">
<p class="field"><label for="name">User name</label>
<input id="name" name="name" value="${s:text(param.name)}" type="text" maxlength="40" autocomplete="username" autocapitalize="none" spellcheck="false" required<c:choose><c:when test="${not empty errors.name}"> aria-invalid="true" aria-describedby="name-error"</c:when></c:choose>>
<c:if test="${not empty errors.name}"><span class="wrong" id="name-error">${s:text(errors.name)}</span></c:if></p>
<p class="field"><label for="secret">Password</label>
<input id="secret" name="secret" type="password" maxlength="200" autocomplete="current-password" required<c:choose><c:when test="${not empty errors.secret}"> aria-invalid="true" aria-describedby="secret-error"</c:when></c:choose>>
<c:if test="${not empty errors.secret}"><span class="wrong" id="secret-error">${s:text(errors.secret)}</span></c:if></p>
<button class="main">Show my last order</button>
</form>
</c:otherwise>
</c:choose>
<%@ include file="end.jspf" %>
