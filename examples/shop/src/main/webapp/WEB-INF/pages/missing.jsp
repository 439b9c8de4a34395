<%@ page pageEncoding="UTF-8" %>
<%@ page isErrorPage="true" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Not found"/>
<%@ include file="top.jspf" %>
<h1>Not found</h1>
<p>There is no such page or book.</p>
<p><a class="button main" href="${base}/">Back to the shop</a></p>
<%@ include file="end.jspf" %>
