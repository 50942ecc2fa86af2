// Begins work that ends later. The page shows each failure of it.

/// Begins work, and shows the error when it fails now or later.
export function begin(work) {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}

/// Shows an error, unless the page itself ended the request or the reader said no.
export function failed(error) {
  if (error?.name === 'AbortError') return;
  window.dispatchEvent(new CustomEvent('failure', { detail: error instanceof Error ? error : new Error(String(error)) }));
}

/// Also shows failures of work that was begun in another way.
export function showAllFailures(show) {
  window.addEventListener('failure', ({ detail }) => show(detail));
  window.addEventListener('unhandledrejection', (event) => {
    failed(event.reason);
    event.preventDefault();
  });
}
