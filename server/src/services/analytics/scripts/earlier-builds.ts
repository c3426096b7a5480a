/**
 * posthog-js calls `patchX(hostnames, distinctId, sessions)` since 1.257; before it `patchX(distinctId, sessions)`, and
 * `patchX(sessions)` up to 1.252, which mean all hosts. Today's script would take what comes first for host names, and
 * add no header, or one without a meaning.
 */
const tracingHeaders = `
;(function (extensions) {
  var patches = extensions && extensions.tracingHeadersPatchFns
  if (!patches) return
  var adapted = {}
  Object.keys(patches).forEach(function (name) {
    adapted[name] = function () {
      var given = Array.prototype.slice.call(arguments)
      var sessions = given[given.length - 1]
      var all = given.length > 2 ? given : [true, given.length === 2 ? given[0] : undefined, sessions]
      return patches[name].apply(patches, all)
    }
  })
  extensions.tracingHeadersPatchFns = adapted
})(window.__PosthogExtensions__)
`

/**
 * What is added to scripts of the installed posthog-js, by file name, for builds whose calls it does not expect. It goes by
 * the form of a call: calls of later builds pass unchanged.
 */
export const additionsForEarlierBuilds: ReadonlyMap<string, string> = new Map([['tracing-headers.js', tracingHeaders]])
