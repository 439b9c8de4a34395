<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Order ${purchase.id}"/>
<%@ include file="top.jspf" %>
<c:if test="${thanks}"><p class="notice good" role="status">Thank you! Your books are on their way.</p></c:if>
<c:if test="${kept}"><p class="notice" role="alert">Nothing was bought now: you have placed this order before. Your cart is as it was. Please <a href="${base}/cart">look at your cart</a>, and remove the books that are in this order.</p></c:if>
<h1>Order ${s:text(purchase.id)}</h1>
<p class="by">${s:day(purchase.placed)}</p>
<div class="columns">
<section aria-labelledby="books">
<h2 id="books">Books</h2>
<table class="lines">
<caption class="hidden">The books of this order</caption>
<thead><tr><th scope="col">Book</th><th scope="col">Copies</th><th scope="col" class="number">Price</th></tr></thead>
<tbody>
<c:forEach var="item" items="${purchase.items}">
<tr><th scope="row"><img src="${base}/cover/${s:text(item.book)}-${s:text(item.cover)}.svg" alt="" width="240" height="360"><span><a href="${base}/book?id=${s:text(item.book)}">${s:text(item.title)}</a><span class="author">${s:text(item.author)}</span></span></th><td>${s:text(item.quantity)}</td><td class="number">${s:money(item.cents * item.quantity)}</td></tr>
</c:forEach>
</tbody>
<tfoot>
<tr><th scope="row" colspan="2">Books</th><td class="number">${s:money(purchase.subtotal)}</td></tr>
<tr><th scope="row" colspan="2">Shipping</th><td class="number">${s:money(purchase.shipping)}</td></tr>
<tr class="total"><th scope="row" colspan="2">Total</th><td class="number">${s:money(purchase.total)}</td></tr>
</tfoot>
</table>
</section>
<section aria-labelledby="parcel">
<h2 id="parcel">Sent to</h2>
<address>${s:text(purchase.to.recipient)}<br>${s:text(purchase.to.street)}<br>${s:text(purchase.to.postcode)}&#32;${s:text(purchase.to.town)}<br>${s:text(purchase.to.country)}</address>
<h2>Paid by</h2>
<p>${s:text(purchase.card)}, number ending in ${s:text(purchase.lastDigits)}</p>
<p><a href="${base}/inquiry">All your orders</a></p>
</section>
</div>
<%@ include file="end.jspf" %>
