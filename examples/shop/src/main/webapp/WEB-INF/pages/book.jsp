<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="${book.title}"/>
<%@ include file="top.jspf" %>
<article class="book">
<img class="cover" src="${base}/cover/${s:text(book.id)}-${s:text(book.cover)}-large.svg" alt="The cover of the book" width="480" height="720">
<div>
<h1>${s:text(book.title)}</h1>
<p class="by">by <a href="${base}/results?by=author&amp;q=${s:query(book.author)}">${s:text(book.author)}</a></p>
<p class="cost">${s:money(book.cents)}</p>
<c:choose>
<c:when test="${book.stock gt 0}">
<form method="post" action="${base}/cart">
<input type="hidden" name="token" value="${s:text(token)}">
<input type="hidden" name="add" value="${s:text(book.id)}">
<button class="main">Add to cart</button>
<span class="stock">${s:text(book.stock eq 1 ? 'The last copy' : 'In stock')}</span>
</form>
</c:when>
<c:otherwise><p class="empty">Sold out</p></c:otherwise>
</c:choose>
<p class="about">${s:text(book.description)}</p>
<dl>
<dt>Subject</dt><dd><a href="${base}/results?by=subject&amp;q=${s:query(book.subject)}">${s:text(book.subject)}</a></dd>
<dt>Published</dt><dd>${s:day(book.published)}, ${s:text(book.publisher)}</dd>
<dt>Pages</dt><dd>${s:text(book.pages)}</dd>
<dt>Author</dt><dd>${s:text(book.about)}</dd>
</dl>
<p class="edit"><a href="${base}/admin?id=${s:text(book.id)}">Change this book</a></p>
</div>
</article>
<h2>Readers also liked</h2>
<c:set var="books" value="${related}"/>
<%@ include file="books.jspf" %>
<%@ include file="end.jspf" %>
