<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Change “${book.title}”"/>
<%@ include file="top.jspf" %>
<h1>Change “${s:text(book.title)}”</h1>
<c:if test="${changed}"><p class="notice good" role="status">The book has a new price and a new cover.</p></c:if>
<article class="book">
<img class="cover" src="${base}/cover/${s:text(book.id)}-${s:text(book.cover)}-large.svg" alt="The cover of the book" width="480" height="720">
<div>
<p class="by">by ${s:text(book.author)}</p>
<p class="cost">${s:money(book.cents)}</p>
<c:choose>
<c:when test="${open}">
<c:if test="${not empty errors}"><p class="notice" role="alert">Something is missing or wrong. Please look at the marked fields.</p></c:if>
<form class="narrow" method="post" action="${base}/admin">
<input type="hidden" name="token" value="${s:text(token)}"><input type="hidden" name="id" value="${s:text(book.id)}">
<p class="field"><label for="price">New price in euros</label>
<input id="price" name="price" value="${s:text(param.price)}" type="text" inputmode="decimal" maxlength="6" autocomplete="off" required<c:choose><c:when test="${not empty errors.price}"> aria-invalid="true" aria-describedby="price-error"</c:when></c:choose>>
<c:if test="${not empty errors.price}"><span class="wrong" id="price-error">${s:text(errors.price)}</span></c:if></p>
<p class="field"><label for="password">Password of the clerk</label>
<input id="password" name="password" type="password" maxlength="200" autocomplete="off" required<c:choose><c:when test="${not empty errors.password}"> aria-invalid="true" aria-describedby="password-error"</c:when></c:choose>>
<c:if test="${not empty errors.password}"><span class="wrong" id="password-error">${s:text(errors.password)}</span></c:if></p>
<button class="main">Set the price and draw a new cover</button>
</form>
</c:when>
<c:otherwise><p class="empty">Books can be changed if the shop has the setting <code>shop.clerk</code>, the password of its clerk.</p></c:otherwise>
</c:choose>
<p><a href="${base}/book?id=${s:text(book.id)}">Back to the book</a></p>
</div>
</article>
<%@ include file="end.jspf" %>
