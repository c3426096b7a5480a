import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Page } from '../../frame/page.tsx'
import { api } from '../../lib/api/api.ts'
import { errorText } from '../../lib/api/api-error.ts'
import { keepSaved } from '../../lib/api/keep-saved.ts'
import { surveysQuery } from '../../lib/api/queries.ts'
import type { Survey } from '../../lib/api/schemas.ts'
import { useRights } from '../../lib/rights.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useToast } from '../../ui/toast.tsx'
import { surveyQuery } from './queries.ts'
import { ResultsView } from './results-view.tsx'
import { SurveyForm } from './survey-form.tsx'

/** What is open of a survey. */
export type SurveyTab = 'questions' | 'answers'

interface SurveyScreenProps {
  readonly survey: Survey
  readonly tab: SurveyTab
  readonly onTab: (tab: SurveyTab) => void
  readonly onArchived: () => void
}

/** One survey: what it asks, and what was answered. */
export function SurveyScreen({ survey, tab, onTab, onArchived }: SurveyScreenProps) {
  const { canChange } = useRights()
  const [isArchiving, setArchiving] = useState(false)
  const queryClient = useQueryClient()
  const toast = useToast()
  const keep = useKeep(survey.id)
  const save = useMutation({
    mutationFn({ id, version, state, startDate, endDate, updatedAt, updatedBy, ...body }: Survey) {
      return api.changeSurvey(id, { version: survey.version, survey: body })
    },
    async onSuccess(saved) {
      await keep(saved)
      toast.add({ title: 'Saved.', description: 'Pages that load from now on ask it like this.' })
    },
    // Another operator may have changed it.
    onError: () => queryClient.invalidateQueries({ queryKey: surveyQuery(survey.id).queryKey }),
  })
  const run = useMutation({
    mutationFn: (running: boolean) => api.runSurvey(survey.id, running),
    onSuccess: keep,
    onError: (error) => toast.add({ title: 'The survey stays as it is.', description: errorText(error) }),
  })
  const isRunning = survey.state === 'running'
  return (
    <Page
      crumbs={[{ label: 'Surveys', link: { to: '/surveys' } }]}
      title={survey.name}
      facts={<Dot tone={isRunning ? 'ok' : 'quiet'}>{survey.state}</Dot>}
      actions={
        canChange && (
          <>
            <Button look="danger" onClick={() => setArchiving(true)}>
              Archive
            </Button>
            <Button
              look={isRunning ? 'plain' : 'primary'}
              disabled={run.isPending}
              onClick={() => run.mutate(!isRunning)}
            >
              {isRunning ? 'End' : survey.state === 'draft' ? 'Begin' : 'Open again'}
            </Button>
          </>
        )
      }
    >
      <Tabs
        label="Survey"
        className="flex-1"
        value={tab}
        onChange={onTab}
        tabs={[
          {
            name: 'questions',
            label: 'Questions',
            isKept: true,
            panel: (
              <SurveyForm
                survey={survey}
                canChange={canChange}
                isSaving={save.isPending}
                problem={save.error ? errorText(save.error) : undefined}
                onSave={save.mutate}
              />
            ),
          },
          { name: 'answers', label: 'Answers', panel: <ResultsView id={survey.id} /> },
        ]}
      />
      <ArchiveDialog survey={survey} open={isArchiving} onClose={() => setArchiving(false)} onArchived={onArchived} />
    </Page>
  )
}

/** Keeps a survey as the server answered it, and reads the list again. */
function useKeep(id: string) {
  const queryClient = useQueryClient()
  return async (saved: Survey) => {
    await keepSaved(queryClient, surveyQuery(id), saved)
    await queryClient.invalidateQueries({ queryKey: surveysQuery.queryKey })
  }
}

interface ArchiveDialogProps {
  readonly survey: Survey
  readonly open: boolean
  readonly onClose: () => void
  readonly onArchived: () => void
}

function ArchiveDialog({ survey, open, onClose, onArchived }: ArchiveDialogProps) {
  const queryClient = useQueryClient()
  const archive = useMutation({
    mutationFn: () => api.archiveSurvey(survey.id),
    async onSuccess() {
      await queryClient.invalidateQueries({ queryKey: surveysQuery.queryKey })
      onArchived()
    },
  })
  return (
    <ConfirmDialog
      open={open}
      onClose={onClose}
      title={`Archive ${survey.name}?`}
      action="Archive the survey"
      isPending={archive.isPending}
      problem={archive.error ? errorText(archive.error) : undefined}
      onConfirm={archive.mutate}
    >
      It ends, and leaves the list. Its answers stay among the events.
    </ConfirmDialog>
  )
}
