// Logs in with a token that came behind the number sign of the address, where no server and no log sees it.

const token = decodeURIComponent(location.hash.slice(1));
if (token) {
  history.replaceState(null, '', '/login');
  document.getElementById('token').value = token;
  document.forms[0].submit();
}
