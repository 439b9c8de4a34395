<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Results for “${q}”"/>
<%@ include file="top.jspf" %>
<h1>Results for “${s:text(q)}”</h1>
<%@ include file="finder.jspf" %>
<c:choose>
<c:when test="${empty shown}"><p class="empty" role="status">No book was found. Each word must begin a word of the title, or of the author’s name.</p></c:when>
<c:otherwise>
<h2 class="hidden">Books</h2>
<%@ include file="shelf.jspf" %></c:otherwise>
</c:choose>
<%@ include file="end.jspf" %>
