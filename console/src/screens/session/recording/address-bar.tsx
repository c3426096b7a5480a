import { ChevronDown } from 'lucide-react'
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
}

/** The recorded page's address at the moment that is shown and, of several tabs, which one this is. */
export function AddressBar({ timeline, playback }: AddressBarProps) {
  const { windows } = timeline
  const pinnedId = usePlayback(playback, (state) => state.pinnedId)
  const shownId = usePlayback(playback, (state) => state.windowId)
  const address = usePlayback(playback, ({ windowId, nowMs }) => {
    const recorded = windows.find((one) => one.windowId === windowId)
    return (recorded && addressAt(recorded, nowMs)) ?? ''
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
