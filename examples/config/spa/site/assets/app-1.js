const answer = await fetch("/api/users" + location.pathname);
document.getElementById("app").textContent = await answer.text();
