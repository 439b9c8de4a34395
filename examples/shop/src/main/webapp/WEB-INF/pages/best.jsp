<%@ page pageEncoding="UTF-8" %>
<%@ include file="head.jspf" %>
<c:set var="title" value="Best sellers: ${subject}"/>
<%@ include file="top.jspf" %>
<h1>Best sellers: ${s:text(subject)}</h1>
<%@ include file="subject.jspf" %>
<c:if test="${empty shown}"><p class="empty">Nobody has bought a book of this subject lately.</p></c:if>
<%@ include file="shelf.jspf" %>
<%@ include file="end.jspf" %>
