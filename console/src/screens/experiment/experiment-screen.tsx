import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { keepSaved } from '../../lib/api/keep-saved.ts'
import { experimentsQuery } from '../../lib/api/queries.ts'
import type { Experiment } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { ArchiveDialog, ConcludeDialog } from './end-dialogs.tsx'
import { ExperimentForm } from './experiment-form.tsx'
import { experimentQuery, experimentResultQuery } from './queries.ts'
import { ResultView } from './result-view.tsx'

/** What is open of an experiment. */
export type ExperimentTab = 'definition' | 'result'

interface ExperimentScreenProps {
  readonly experiment: Experiment
  readonly tab: ExperimentTab
  readonly onTab: (tab: ExperimentTab) => void
  readonly onArchived: () => void
}

/** One experiment: what it measures, and what it came to. */
export function ExperimentScreen({ experiment, tab, onTab, onArchived }: ExperimentScreenProps) {
  const { canChange } = useRights()
  const [asked, setAsked] = useState<Asked | null>(null)
  const queryClient = useQueryClient()
  const toast = useToast()
  const keep = useKeep(experiment.id)
  const { id, name, hypothesis, flagKey, state, version } = experiment
  const save = useMutation({
    mutationFn: ({ name, hypothesis, flagKey, metrics }: Experiment) =>
      api.changeExperiment(id, { version, experiment: { name, hypothesis, flagKey, metrics } }),
    async onSuccess(saved) {
      await keep(saved)
      toast.add({ title: 'Saved.', description: 'The result is computed by it when it is asked for.' })
    },
    // Another operator may have changed it.
    onError: () => queryClient.invalidateQueries({ queryKey: experimentQuery(id).queryKey }),
  })
  const run = useMutation({
    mutationFn: (running: boolean) => api.runExperiment(id, running),
    onSuccess: keep,
    onError: (error) => toast.add({ title: 'The experiment stays as it is.', description: errorText(error) }),
  })
  const isRunning = state === 'running'
  return (
    <Page
      crumbs={[{ label: 'Experiments', link: { to: '/experiments' } }]}
      title={name}
      facts={
        <>
          <Dot tone={isRunning ? 'ok' : 'quiet'}>{state}</Dot>
          <Link to="/flags/$key" params={{ key: flagKey }} className="hover:underline">
            {flagKey}
          </Link>
        </>
      }
      actions={canChange && <Actions state={state} isBusy={run.isPending} onRun={run.mutate} onAsk={setAsked} />}
    >
      <Tabs
        label="Experiment"
        className="flex-1"
        value={tab}
        onChange={onTab}
        tabs={[
          { name: 'result', label: 'Result', panel: <ResultView experiment={experiment} /> },
          {
            name: 'definition',
            label: 'Definition',
            isKept: true,
            panel: (
              <ExperimentForm
                experiment={experiment}
                canChange={canChange}
                isSaving={save.isPending}
                problem={save.error ? errorText(save.error) : undefined}
                onSave={save.mutate}
              />
            ),
          },
        ]}
      />
      {asked === 'conclude' && (
        <ConcludeDialog experiment={experiment} hint={hypothesis} onClose={() => setAsked(null)} onDone={keep} />
      )}
      {asked === 'archive' && (
        <ArchiveDialog experiment={experiment} onClose={() => setAsked(null)} onArchived={onArchived} />
      )}
    </Page>
  )
}

/** What is asked before it is done. */
type Asked = 'archive' | 'conclude'

interface ActionsProps {
  readonly state: Experiment['state']
  readonly isBusy: boolean
  readonly onRun: (running: boolean) => void
  readonly onAsk: (asked: Asked) => void
}

const Actions = ({ state, isBusy, onRun, onAsk }: ActionsProps) => (
  <>
    <Button look="danger" onClick={() => onAsk('archive')}>
      Archive
    </Button>
    {state !== 'draft' && <Button onClick={() => onAsk('conclude')}>Conclude</Button>}
    <Button look={state === 'draft' ? 'primary' : 'plain'} disabled={isBusy} onClick={() => onRun(state !== 'running')}>
      {state === 'running' ? 'End' : state === 'draft' ? 'Begin' : 'Go on'}
    </Button>
  </>
)

/** Keeps an experiment as the server answered it, and reads the list and the result again. */
function useKeep(id: string) {
  const queryClient = useQueryClient()
  return async (saved: Experiment) => {
    await keepSaved(queryClient, experimentQuery(id), saved)
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: experimentsQuery.queryKey }),
      queryClient.invalidateQueries({ queryKey: experimentResultQuery(id).queryKey }),
    ])
  }
}
