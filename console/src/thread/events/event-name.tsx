import type { EventSummary } from '../../lib/api/schemas.ts'

/** PostHog's own events in words. */
const words: Readonly<Record<string, string>> = {
  $pageview: 'Page view',
  $pageleave: 'Page leave',
  $autocapture: 'Click',
  $rageclick: 'Rage click',
  $dead_click: 'Dead click',
  $identify: 'Identified',
  $set: 'Properties set',
  $exception: 'Exception',
  $web_vitals: 'Web vitals',
  $$heatmap: 'Heat map',
  $feature_flag_called: 'Flag asked for',
  $groupidentify: 'Group described',
  $feature_enrollment_update: 'Early access chosen',
  $opt_in: 'Consented',
  $opt_out: 'Refused',
}

/** An event's name in words, with what was clicked; the name itself on hover. */
export function EventName({ event: { event, label } }: { readonly event: Pick<EventSummary, 'event' | 'label'> }) {
  const word = words[event]
  return (
    <span className="truncate" title={event}>
      <span className={word ? 'font-medium' : 'mono font-medium'}>{word ?? event}</span>
      {label && <span className="text-ink-2"> “{label}”</span>}
    </span>
  )
}
