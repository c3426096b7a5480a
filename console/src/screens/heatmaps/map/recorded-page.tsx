import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { HeatmapPicture } from '../../../lib/api/schemas.ts'
import { createDecoder } from '../../../player/decode.ts'
import type { RecordedEvent } from '../../../player/recording.ts'
import { createPageStage } from '../../../player/stage.ts'
import { layOut } from '../../../player/timeline.ts'
import { fitPage } from './page-height.ts'

interface RecordedPageProps {
  readonly picture: HeatmapPicture
  /** Only what is seen without scrolling. */
  readonly isViewport: boolean
  readonly onHeight: (heightPx: number) => void
}

/** A page as it was at a moment of a recording, in its own size; drawn by the player, in its frame without scripts. */
export default function RecordedPage({ picture, isViewport, onHeight }: RecordedPageProps) {
  const root = useRef<HTMLDivElement>(null)
  const { data: page } = useQuery({
    queryKey: ['heatmap-page', picture.sessionId, picture.windowId, picture.atMs],
    queryFn: async () => {
      const recording = await createDecoder().add(picture.messages)
      const [recorded] = layOut(recording, 0, 0).windows
      if (recorded === undefined) return null
      const isBefore = ({ timestamp }: RecordedEvent, index: number) => index < 2 || timestamp <= picture.atMs
      const endMs = Math.max(recorded.playableMs, Math.min(recorded.endMs, picture.atMs))
      return { ...recorded, endMs, events: recorded.events.filter(isBefore) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  })
  useEffect(() => {
    const { current } = root
    if (current === null || !page) return
    const stage = createPageStage(current)
    stage.show(page, page.endMs, false, 1)
    const frame = current.querySelector('iframe')
    const stop = frame === null ? () => undefined : fitPage(frame, picture.height, !isViewport, onHeight)
    return () => {
      stop()
      stage.close()
    }
  }, [page, picture.height, isViewport, onHeight])
  return <div ref={root} aria-hidden="true" inert className="[&_iframe]:border-0" />
}
