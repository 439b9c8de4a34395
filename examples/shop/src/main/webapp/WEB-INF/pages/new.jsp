<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="New books: ${subject}"/>
<%@ include file="top.jspf" %>
<h1>New: ${s:text(subject)}</h1>
<%@ include file="subject.jspf" %>
<%@ include file="shelf.jspf" %>
<%@ include file="end.jspf" %>
