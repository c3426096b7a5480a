import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import type { Queue, QueueMessage } from '../../lib/api/schemas.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Time } from '../../ui/time.tsx'
import { readDeadLetter } from './dead-letter.ts'
import { MessageDrawer } from './message-drawer.tsx'
import { MessagesView } from './messages-view.tsx'
import { PurgeDialog } from './purge-dialog.tsx'
import { messagesQuery } from './queries.ts'
import { type MessageState, messageStates, type QueueSearch } from './search.ts'
import { SendDialog } from './send-dialog.tsx'
import { useReplay } from './use-replay.ts'

interface QueueScreenProps {
  readonly queue: Queue
  readonly search: QueueSearch
  readonly onSearch: (search: QueueSearch) => void
}

const labels = { visible: 'Visible', 'in flight': 'In flight', archived: 'Archived' } as const

/** One queue: its messages, and what can be done with them. */
export function QueueScreen({ queue, search, onSearch }: QueueScreenProps) {
  const { state = 'visible', open } = search
  const { canChange } = useRights()
  const [dialog, setDialog] = useState<'send' | 'purge'>()
  const queryClient = useQueryClient()
  const { query, loadMore } = messagesQuery(queryClient, queue.name, state)
  const { data: list, error, refetch } = useQuery(query)
  const refresh = () =>
    inBackground(
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['queue', queue.name] }),
        queryClient.invalidateQueries({ queryKey: ['queue-messages', queue.name] }),
      ]),
    )
  const close = () => onSearch({ state })
  const counts: Readonly<Record<MessageState, number>> = {
    visible: queue.visible,
    'in flight': queue.inFlight,
    archived: queue.archived,
  }
  const panel =
    error && !list ? (
      <ErrorProblem error={error} onRetry={refetch} />
    ) : (
      <MessagesView
        list={list}
        state={state}
        openId={open?.toString()}
        onOpen={({ id }) => onSearch({ state, open: Number(id) })}
        onEnd={() => inBackground(loadMore())}
      />
    )
  return (
    <Page
      crumbs={[{ label: 'Queues', link: { to: '/queues' } }]}
      title={queue.name}
      facts={
        queue.oldestAt && (
          <span>
            oldest <Time at={queue.oldestAt} />
          </span>
        )
      }
      actions={
        canChange && <Actions queue={queue.name} messages={list?.items ?? []} onChanged={refresh} onOpen={setDialog} />
      }
    >
      <Tabs
        label="Messages"
        value={state}
        onChange={(name) => onSearch({ state: name })}
        className="flex-1"
        tabs={messageStates.map((name) => ({
          name,
          label: labels[name],
          count: counts[name],
          panel: name === state ? panel : null,
        }))}
      />
      <MessageDrawer
        queue={queue.name}
        message={list?.items.find(({ id }) => id === open?.toString())}
        id={open?.toString()}
        state={state}
        onChanged={() => {
          refresh()
          close()
        }}
        onClose={close}
      />
      <SendDialog queue={queue.name} open={dialog === 'send'} onSent={refresh} onClose={() => setDialog(undefined)} />
      <PurgeDialog queue={queue} open={dialog === 'purge'} onPurged={refresh} onClose={() => setDialog(undefined)} />
    </Page>
  )
}

interface ActionsProps {
  readonly queue: string
  readonly messages: readonly QueueMessage[]
  readonly onChanged: () => void
  readonly onOpen: (dialog: 'send' | 'purge') => void
}

function Actions({ queue, messages, onChanged, onOpen }: ActionsProps) {
  const replay = useReplay(queue, onChanged)
  return (
    <>
      {messages.some(({ headers }) => readDeadLetter(headers) !== null) && (
        <Button disabled={replay.isPending} onClick={() => replay.mutate()}>
          Send all back
        </Button>
      )}
      <Button look="danger" onClick={() => onOpen('purge')}>
        Purge
      </Button>
      <Button look="primary" onClick={() => onOpen('send')}>
        Send
      </Button>
    </>
  )
}
