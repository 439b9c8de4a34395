<%@ page contentType="text/html;charset=UTF-8" session="false" trimDirectiveWhitespaces="true" %>
<!DOCTYPE html>
<html><head><title>Welcome</title></head><body>
<p>You sent ${pageContext.request.method} for ${pageContext.request.requestURI}.</p>
</body></html>
