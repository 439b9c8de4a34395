<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Find a book"/>
<%@ include file="top.jspf" %>
<h1>Find a book</h1>
<%@ include file="finder.jspf" %>
<h2>Or let yourself be found</h2>
<c:set var="books" value="${promoted}"/>
<%@ include file="books.jspf" %>
<%@ include file="end.jspf" %>
