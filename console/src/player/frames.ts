import type { Replayer } from '@rrweb/replay'
import { type RecordedEvent, source, sourceOf } from './recording.ts'

/** Directives whose origins the operator can allow by a setting. */
const looking: ReadonlySet<string> = new Set([
  'img-src',
  'style-src',
  'style-src-elem',
  'style-src-attr',
  'font-src',
  'media-src',
])

/**
 * Whether a window's pictures of canvases were recorded. They are drawn in a frame in which scripts are switched on, for
 * browsers show a canvas only there; every other recording keeps a frame without.
 */
export const hasCanvas = (events: readonly RecordedEvent[]): boolean =>
  events.some((event) => sourceOf(event) === source.canvas)

/**
 * Forbids every script in a player's frame, also those of the console's own files that its policy allows. To be called
 * before anything is drawn. A policy once met holds as long as the document, whatever becomes of the element.
 */
export function forbidScripts({ iframe }: Replayer): void {
  const page = iframe.contentDocument
  if (!page) throw new Error('The player has no frame.')
  const policy = page.createElement('meta')
  policy.httpEquiv = 'Content-Security-Policy'
  policy.content = "script-src 'none'; object-src 'none'"
  page.head.append(policy)
}

/** Tells of each origin from which the frame's policy let nothing load. */
export function watchBlocked(replayer: Replayer, tell: (origin: string) => void): void {
  const onViolation = (violation: SecurityPolicyViolationEvent) => {
    const { blockedURI, effectiveDirective } = violation
    if (!looking.has(effectiveDirective) || !URL.canParse(blockedURI)) return
    const { origin, protocol } = new URL(blockedURI)
    if (protocol === 'http:' || protocol === 'https:') tell(origin)
  }
  const watch = () => replayer.iframe.contentDocument?.addEventListener('securitypolicyviolation', onViolation)
  watch()
  // A full snapshot opens the document anew, which takes its listeners away.
  replayer.on('fullsnapshot-rebuilded', watch)
}
