// Runs in the café's page before anything of it. Between two visits of a guest hours pass, of which the recording waits
// only seconds: posthog-js, which begins a new session after half an hour without a sign, finds that two hours passed.
// Plain JavaScript: what compiles the recorder would put helpers into it that the page does not know.
const hoursMs = 2 * 60 * 60_000
const isPostHogs = (name) => name.startsWith('ph_') && name.endsWith('_posthog')
const aged = (text) => {
  const kept = JSON.parse(text)
  if (kept.$sesid !== undefined) {
    const [lastAt, id, startedAt] = kept.$sesid
    kept.$sesid = [lastAt - hoursMs, id, startedAt - hoursMs]
  }
  return JSON.stringify(kept)
}
if (location.protocol !== 'about:') {
  for (const name of Object.keys(localStorage))
    if (isPostHogs(name)) localStorage.setItem(name, aged(localStorage.getItem(name)))
  for (const cookie of document.cookie.split('; ')) {
    const [name, value] = cookie.split('=')
    if (!isPostHogs(name)) continue
    const lasting = 'path=/; SameSite=Lax; max-age=31536000'
    // biome-ignore lint/suspicious/noDocumentCookie: the cookie store is asynchronous, and the page begins now
    document.cookie = `${name}=${encodeURIComponent(aged(decodeURIComponent(value)))}; ${lasting}`
  }
}
