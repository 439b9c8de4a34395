<%@ page contentType="text/html;charset=UTF-8" session="false" trimDirectiveWhitespaces="true" %>
<%@ taglib prefix="c" uri="jakarta.tags.core" %>
<!DOCTYPE html>
<html><head><title>Stock</title></head><body><table>
<c:forEach var="row" items="${rows}"><tr><td>${row.number}</td><td>${row.name}</td><td>${row.price}</td><td>${row.price * row.count}</td><td>${row.count > 5 ? 'many' : 'few'}</td></tr>
</c:forEach></table></body></html>
