<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Books for curious people"/>
<%@ include file="top.jspf" %>
<section class="hero">
<h1>Books for curious people</h1>
<p>A small shop with a long shelf. Today we would like to show you these.</p>
</section>
<h2 class="hidden">Books of the moment</h2>
<c:set var="books" value="${promoted}"/>
<%@ include file="books.jspf" %>
<h2>Browse by subject</h2>
<ul class="subjects">
<c:forEach var="each" items="${subjects}"><li><a href="${base}/new?subject=${s:query(each)}">${s:text(each)}</a></li></c:forEach>
</ul>
<%@ include file="end.jspf" %>
