// Logs in with a token after the number sign of the address, where no server and no log sees it.

/// The token of the address; nothing when there is none, or a broken one.
function tokenOfAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

/// The place to open after logging in. The server accepts only its own places.
function keepPlace() {
  const place = new URLSearchParams(location.search).get('to');
  if (!place) return;
  document.getElementById('to').value = place;
  // The page that refuses a wrong token has this address, so it knows the place as well.
  document.forms[0].action = `/login${location.search}`;
  const other = document.getElementById('openid');
  if (other) other.href += location.search;
}

function logIn() {
  const token = tokenOfAddress();
  if (!token) return;
  history.replaceState(null, '', location.pathname + location.search);
  document.getElementById('token').value = token;
  document.forms[0].submit();
}

// When the reader pastes an address while the page is open, only the part after the sign changes, and the browser does
// not load the page again.
addEventListener('hashchange', logIn);
keepPlace();
logIn();
