import { useMutation, useQuery } from '@tanstack/react-query'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import type { QueueMessage } from '../../lib/api/schemas.ts'
import { readableJson } from '../../lib/readable-json.ts'
import { useRights } from '../../lib/rights.ts'
import { CausedList } from '../../thread/caused-list.tsx'
import { changesOfQuery } from '../../thread/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Code } from '../../ui/code.tsx'
import { Drawer } from '../../ui/drawer.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { Time } from '../../ui/time.tsx'
import { formatBytes } from '../../ui/time-text.ts'
import { readDeadLetter } from './dead-letter.ts'
import type { MessageState } from './search.ts'

interface MessageDrawerProps {
  readonly queue: string
  /** Nothing is open without it. */
  readonly id: string | undefined
  /** Absent when it is no longer in the list. */
  readonly message: QueueMessage | undefined
  readonly state: MessageState
  readonly onChanged: () => void
  readonly onClose: () => void
}

/** A message opened in place, with what can be done with it. */
export function MessageDrawer({ queue, id, message, state, onChanged, onClose }: MessageDrawerProps) {
  return (
    <Drawer open={id !== undefined} onClose={onClose} title={`Message ${id ?? ''}`}>
      {message ? (
        <OpenMessage queue={queue} message={message} state={state} onChanged={onChanged} />
      ) : (
        <Empty title="This message is not in the list.">
          <p>A reader may have taken it, or it was archived or deleted.</p>
        </Empty>
      )}
    </Drawer>
  )
}

type OpenMessageProps = Pick<MessageDrawerProps, 'queue' | 'state' | 'onChanged'> & { readonly message: QueueMessage }

const acts = {
  visible: api.setMessageVisible,
  archive: api.archiveMessage,
  delete: api.deleteMessage,
  replay: api.replayMessage,
}

function OpenMessage({ queue, message, state, onChanged }: OpenMessageProps) {
  const { canChange } = useRights()
  const act = useMutation({
    mutationFn: (name: keyof typeof acts) => acts[name](queue, message.id),
    onSuccess: onChanged,
  })
  const text = message.message ?? 'null'
  const letter = readDeadLetter(message.headers)
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4 p-4">
      {canChange && state !== 'archived' && (
        <div className="flex flex-wrap gap-2">
          {state === 'in flight' && (
            <Button disabled={act.isPending} onClick={() => act.mutate('visible')}>
              Make visible now
            </Button>
          )}
          {letter && (
            <Button look="primary" disabled={act.isPending} onClick={() => act.mutate('replay')}>
              Send back to {letter.queue}
            </Button>
          )}
          <Button disabled={act.isPending} onClick={() => act.mutate('archive')}>
            Archive
          </Button>
          <Button look="danger" disabled={act.isPending} onClick={() => act.mutate('delete')}>
            Delete
          </Button>
        </div>
      )}
      {act.error && (
        <p role="alert" className="text-danger">
          {errorText(act.error)}
        </p>
      )}
      {letter && (
        <p className="text-danger">
          Failed {letter.attempts} times in {letter.queue}: {letter.error}
        </p>
      )}
      <Facts>
        <Fact name="Sent">
          <Time at={message.enqueuedAt} look="clock" />
        </Fact>
        <Fact name="Visible">
          <Time at={message.visibleAt} />
        </Fact>
        {message.archivedAt && (
          <Fact name="Archived">
            <Time at={message.archivedAt} look="clock" />
          </Fact>
        )}
        <Fact name="Reads">{message.readCount}</Fact>
        <Fact name="Size">{formatBytes(message.sizeBytes)}</Fact>
      </Facts>
      <Code text={readableJson(text)} copyLabel="Copy the message" />
      {message.sizeBytes > 65_536 && <p className="text-ink-2">Only its beginning is shown.</p>}
      {message.headers && (
        <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
          <h2 className="font-semibold">Headers</h2>
          <Code text={readableJson(message.headers)} copyLabel="Copy the headers" />
        </section>
      )}
      <MessageCalls causeId={message.causeId} />
    </div>
  )
}

/** The calls of a function with this message, where one is called with the queue's. */
function MessageCalls({ causeId }: { readonly causeId: string }) {
  const { data } = useQuery(changesOfQuery(causeId))
  if (data === undefined || data.caused.length === 0) return null
  return (
    <section className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <h2 className="font-semibold">Calls</h2>
      <CausedList requests={data.caused} />
    </section>
  )
}
