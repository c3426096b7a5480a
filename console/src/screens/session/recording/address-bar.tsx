import { ChevronDown } from 'lucide-react'
import type { Moment } from '../../../lib/api/schemas.ts'
import { addressAt } from '../../../player/addresses.ts'
import type { Playback } from '../../../player/playback.ts'
import type { Timeline } from '../../../player/timeline.ts'
import { Button } from '../../../ui/button.tsx'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { usePlayback } from '../moments/current.ts'

interface AddressBarProps {
  readonly timeline: Timeline
  readonly playback: Playback
  /** The pages of the session, by time. */
  readonly pages: readonly Moment[]
}

/** The recorded page's address at the moment that is shown and, of several tabs, which one this is. */
export function AddressBar({ timeline, playback, pages }: AddressBarProps) {
  const { windows } = timeline
  const pinnedId = usePlayback(playback, (state) => state.pinnedId)
  const shownId = usePlayback(playback, (state) => state.windowId)
  const address = usePlayback(playback, ({ windowId, nowMs }) => {
    const recorded = windows.find((one) => one.windowId === windowId)
    const loaded = recorded && addressAt(recorded, nowMs)
    // An application that changes its address by itself is not always recorded doing so; its page views tell.
    const page = pages.findLast((one) => one.atMs <= nowMs && (one.windowId === null || one.windowId === windowId))
    return loaded === undefined
      ? ''
      : page && URL.canParse(page.label, loaded)
        ? new URL(page.label, loaded).href
        : loaded
  })
  const number = windows.findIndex(({ windowId }) => windowId === shownId) + 1
  return (
    <div className="flex h-7 min-w-0 shrink-0 items-center gap-1.5 text-ink-2 text-sm">
      {windows.length > 1 && (
        <Menu
          align="start"
          trigger={
            <Button look="bare" size="small" aria-label={`Tab ${number} of ${windows.length}`}>
              Tab {number} of {windows.length}
              {pinnedId !== null && ', kept'}
              <ChevronDown aria-hidden="true" className="size-3.5" />
            </Button>
          }
          items={[
            { label: 'The tab that the person looked at', onSelect: () => playback.pin(null) },
            ...windows.map(({ windowId }, index) => ({
              label: `Keep to tab ${index + 1}`,
              onSelect: () => playback.pin(windowId),
            })),
          ]}
        />
      )}
      {address !== '' && (
        <>
          <span className="mono min-w-0 truncate" title={address}>
            <span className="sr-only">Address of the page: </span>
            {address.replace(/^https?:\/\//, '')}
          </span>
          <CopyButton text={address} label="Copy the page’s address" />
        </>
      )}
    </div>
  )
}
