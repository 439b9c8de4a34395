<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Your cart"/>
<%@ include file="top.jspf" %>
<h1>Your cart</h1>
<c:choose>
<c:when test="${empty cart.rows}"><p class="empty">Your cart is empty.</p></c:when>
<c:otherwise>
<form id="change" method="post" action="${base}/cart"><input type="hidden" name="token" value="${s:text(token)}"></form>
<table class="lines">
<caption class="hidden">The books in your cart</caption>
<thead><tr><th scope="col">Book</th><th scope="col">Copies</th><th scope="col" class="number">Price</th></tr></thead>
<tbody>
<c:forEach var="row" items="${cart.rows}">
<tr>
<th scope="row"><img src="${base}/cover/${s:text(row.book.id)}-${s:text(row.book.cover)}.svg" alt="" width="240" height="360"><span><a href="${base}/book?id=${s:text(row.book.id)}">${s:text(row.book.title)}</a><span class="author">${s:text(row.book.author)}</span></span></th>
<td><label class="hidden" for="copies-${s:text(row.book.id)}">Copies of ${s:text(row.book.title)}</label><input form="change" id="copies-${s:text(row.book.id)}" name="copies-${s:text(row.book.id)}" type="number" min="0" max="99" value="${s:text(row.quantity)}">
<button class="plain" form="change" name="remove" value="${s:text(row.book.id)}">Remove<span class="hidden"> ${s:text(row.book.title)}</span></button></td>
<td class="number">${s:money(row.cents)}</td>
</tr>
</c:forEach>
</tbody>
<tfoot>
<tr><th scope="row" colspan="2">Books</th><td class="number">${s:money(cart.subtotal)}</td></tr>
<tr><th scope="row" colspan="2">Shipping</th><td class="number">${s:money(cart.shipping)}</td></tr>
<tr class="total"><th scope="row" colspan="2">Total</th><td class="number">${s:money(cart.total)}</td></tr>
</tfoot>
</table>
<p class="actions"><button form="change">Update the cart</button> <a class="button main" href="${base}/buy">Check out</a></p>
</c:otherwise>
</c:choose>
<h2>You may also like</h2>
<c:set var="books" value="${promoted}"/>
<%@ include file="books.jspf" %>
<%@ include file="end.jspf" %>
