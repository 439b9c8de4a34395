<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="This form has expired"/>
<%@ include file="top.jspf" %>
<h1>This form has expired</h1>
<p>Nothing was changed. Your visit has ended meanwhile, or the form was sent from elsewhere.</p>
<p><a class="button main" href="${base}/">Back to the shop</a></p>
<%@ include file="end.jspf" %>
