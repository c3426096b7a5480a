import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorText } from '../../../lib/api/api-error.ts'
import { sessionViewsApi } from '../../../lib/api/session-views.ts'
import { createDecoder } from '../../../player/decode.ts'
import type { RecordedEvent } from '../../../player/recording.ts'
import { createPageStage } from '../../../player/stage.ts'
import { layOut, type WindowTimeline } from '../../../player/timeline.ts'

/** Before that a page often waits for what it shows. */
const settledMs = 3000

/** The recording of the session's first page until it has settled. */
const pictureQuery = (id: string) =>
  queryOptions({
    queryKey: ['session-picture', id],
    queryFn: async ({ signal }): Promise<WindowTimeline | null> => {
      const recording = await createDecoder().add(await sessionViewsApi.sessionPicture(id, { signal }))
      const [page] = layOut(recording, 0, 0).windows
      if (page === undefined) return null
      const endMs = Math.min(page.endMs, page.playableMs + settledMs)
      const isOfPicture = ({ timestamp }: RecordedEvent, index: number) => index < 2 || timestamp <= endMs
      return { ...page, endMs, events: page.events.filter(isOfPicture) }
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 5 * 60_000,
    retry: false,
    structuralSharing: false,
  })

const widthPx = 320
const heightPx = 200

/** The first page of a session once it had settled, as it was recorded, small; drawn by the player, in its frame without scripts. */
export default function SessionPicture({ id }: { readonly id: string }) {
  const { data: page, error } = useQuery(pictureQuery(id))
  return (
    <div
      className="relative grid place-items-center overflow-hidden bg-sunken text-ink-2"
      style={{ width: widthPx, height: heightPx }}
    >
      {page ? (
        <Picture page={page} />
      ) : error || page === null ? (
        <p className="p-4 text-center">{error ? errorText(error) : 'Its first page cannot be drawn.'}</p>
      ) : (
        <p role="status">Drawing its first page…</p>
      )}
    </div>
  )
}

function Picture({ page }: { readonly page: WindowTimeline }) {
  const root = useRef<HTMLDivElement>(null)
  const [size, setSize] = useState({ width: 1280, height: 800 })
  useEffect(() => {
    if (!root.current) return
    const stage = createPageStage(root.current)
    stage.onSize(setSize)
    stage.show(page, page.endMs, false, 1)
    return stage.close
  }, [page])
  // What is above the fold, over the whole width.
  const scale = widthPx / size.width
  return (
    <div
      ref={root}
      aria-hidden="true"
      inert
      className="absolute top-0 left-0 origin-top-left [&_iframe]:border-0"
      style={{ width: size.width, height: size.height, transform: `scale(${scale})` }}
    />
  )
}
