// Logs in with a token that came behind the number sign of the address, where no server and no log sees it.

/// The token of the address; nothing when there is none, or a broken one.
function tokenOfAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/// The place to see after logging in. The server takes only its own places.
function keepPlace() {
  const place = new URLSearchParams(location.search).get('to');
  if (place) document.getElementById('to').value = place;
}

function logIn() {
  const token = tokenOfAddress();
  if (!token) return;
  history.replaceState(null, '', location.pathname + location.search);
  document.getElementById('token').value = token;
  document.forms[0].submit();
}

// An address that is pasted while the page is open changes only what is behind the sign: nothing is loaded again.
addEventListener('hashchange', logIn);
keepPlace();
logIn();
