import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { SessionDetail } from '../../../lib/api/schemas.ts'
import { createPlayback, type Playback } from '../../../player/playback.ts'
import type { Recording } from '../../../player/recording.ts'
import { layOut, type Timeline } from '../../../player/timeline.ts'
import { usePlayback } from '../moments/current.ts'
import { lastOwn } from '../moments/moments.ts'
import type { PlaybackStart } from '../queries.ts'
import type { RecordingState } from './picture.tsx'
import { useRecording } from './use-recording.ts'

interface SessionPlayback {
  readonly playback: Playback
  readonly recording: RecordingState
}

const nothingRecorded: Recording = { windows: [], damaged: 0 }

/**
 * A session's clock with its recording loaded into it as it comes.
 *
 * @param renderFail what stands in place of the picture when the recording cannot be had
 */
export function useSessionPlayback(
  detail: SessionDetail,
  start: PlaybackStart,
  renderFail: (error: unknown, retry: () => void) => ReactNode,
): SessionPlayback {
  const { session } = detail
  const { recording, error, retry, follow } = useRecording(session, start)
  const { playback, timeline } = useLoadedPlayback(detail, recording ?? nothingRecorded, start === 'end' ? 0 : start)
  const isDrawn = usePlayback(playback, ({ drawn, waiting }) => drawn || waiting)
  const startedMs = Date.parse(session.startedAt)
  const isGrowing = session.live
  useEffect(() => {
    // What is read ahead waits for the first picture.
    if (!isDrawn) return
    const tell = () => {
      const { nowMs, windowId, playing } = playback.state()
      follow({ atMs: startedMs + nowMs, windowId, playing, isGrowing })
    }
    tell()
    return playback.subscribe(tell)
  }, [playback, follow, isDrawn, startedMs, isGrowing])
  if (recording) {
    const onRetry = error === null ? undefined : retry
    return { playback, recording: { kind: 'ready', timeline, damaged: recording.damaged, onRetry } }
  }
  if (!session.hasRecording) return { playback, recording: { kind: 'none' } }
  if (error === null) return { playback, recording: { kind: 'loading' } }
  return { playback, recording: { kind: 'failed', problem: renderFail(error, retry) } }
}

/** The clock of a session with what is there of its recording. */
export function useLoadedPlayback(
  { session, moments }: SessionDetail,
  recording: Recording,
  startMs: number,
): { readonly playback: Playback; readonly timeline: Timeline } {
  const lastMs = lastOwn(moments)?.atMs ?? 0
  const lengthMs = Math.max(session.durationMs, lastMs)
  const [playback] = useState(() =>
    // A link's moment may lie behind the end; a recording that is still to come says itself how long it is.
    createPlayback(session.hasRecording ? startMs : Math.min(startMs, lengthMs)),
  )
  const timeline = layOut(recording, Date.parse(session.startedAt), lengthMs)
  useEffect(() => playback.load(timeline), [playback, timeline])
  useEffect(() => playback.close, [playback])
  return { playback, timeline }
}

/** Says that there is a picture, once it is there, or that there will be none. */
export function useDrawn(playback: Playback, recording: RecordingState, onDrawn: () => void): void {
  const isDrawn = usePlayback(playback, ({ drawn, waiting }) => drawn || waiting)
  const isOver =
    recording.kind === 'ready' ? isDrawn || recording.timeline.windows.length === 0 : recording.kind !== 'loading'
  const latest = useRef(onDrawn)
  useEffect(() => {
    latest.current = onDrawn
  })
  useEffect(() => {
    if (isOver) latest.current()
  }, [isOver])
}

/** Follows a session that is opened at its end: what the person does now is seen first. */
export function useLiveEdge(playback: Playback, start: PlaybackStart): void {
  const [follows] = useState(start === 'end')
  useEffect(() => {
    if (follows) playback.follow()
  }, [playback, follows])
}

/**
 * Keeps the address and the playback at one moment: a link's time is sought, and where the playback rests is written
 * into the address.
 *
 * @param t     seconds in the address
 * @param write puts seconds into the address
 */
export function useMomentInAddress(playback: Playback, t: number | undefined, write: (seconds: number) => void): void {
  const written = useRef(t)
  const latest = useRef(write)
  useEffect(() => {
    latest.current = write
  })
  useEffect(() => {
    if (t === undefined || t === written.current) return
    written.current = t
    playback.seek(t * 1000)
  }, [playback, t])
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let lastMs = playback.state().nowMs
    const stop = playback.subscribe(() => {
      const { nowMs, playing, following } = playback.state()
      if (playing || following || nowMs === lastMs) return
      lastMs = nowMs
      clearTimeout(timer)
      // While a line is dragged the address waits: browsers allow only so many changes of it a second.
      timer = setTimeout(() => {
        written.current = Math.round(nowMs) / 1000
        latest.current(written.current)
      }, 250)
    })
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [playback])
}
