<%@ page pageEncoding="UTF-8" %>
<%@ page isErrorPage="true" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Something went wrong"/>
<%@ include file="top.jspf" %>
<h1>Something went wrong</h1>
<p>We could not answer this request. Please try it again.</p>
<p><a class="button main" href="${base}/">Back to the shop</a></p>
<%@ include file="end.jspf" %>
