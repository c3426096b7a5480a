import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ErrorProblem } from '../../frame/failure.tsx'
import { Page } from '../../frame/page.tsx'
import { functionsQuery } from '../../lib/api/queries.ts'
import { inBackground } from '../../lib/in-background.ts'
import { useRights } from '../../lib/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FunctionsView } from './functions-view.tsx'
import { functionCallsQuery, functionSecretsQuery } from './queries.ts'
import { SecretDialog } from './secret-dialog.tsx'
import { SecretsView } from './secrets-view.tsx'

/** The parts of the screen. */
export type FunctionsTab = 'functions' | 'secrets'

interface FunctionsScreenProps {
  readonly tab: FunctionsTab
  readonly onTab: (tab: FunctionsTab) => void
  readonly onOpen: (name: string) => void
}

/** Every function with its day, and the secrets that all of them find. */
export function FunctionsScreen({ tab, onTab, onOpen }: FunctionsScreenProps) {
  const { data: functions, error, refetch } = useQuery(functionsQuery)
  const { data: calls } = useQuery(functionCallsQuery)
  const { canChange } = useRights()
  const [isSetting, setSetting] = useState(false)
  const secrets = useQuery({ ...functionSecretsQuery, enabled: canChange })
  return (
    <Page
      title="Functions"
      actions={
        canChange &&
        tab === 'secrets' && (
          <Button look="primary" onClick={() => setSetting(true)}>
            Set a secret
          </Button>
        )
      }
    >
      {error && !functions ? (
        <ErrorProblem error={error} onRetry={refetch} />
      ) : (
        <Tabs<FunctionsTab>
          label="Functions"
          value={tab}
          onChange={onTab}
          className="flex-1"
          tabs={[
            {
              name: 'functions',
              label: 'Functions',
              count: functions?.length,
              panel: <FunctionsView functions={functions} calls={calls} onOpen={({ name }) => onOpen(name)} />,
            },
            {
              name: 'secrets',
              label: 'Secrets',
              count: secrets.data?.length,
              panel: secrets.error ? (
                <ErrorProblem error={secrets.error} onRetry={secrets.refetch} />
              ) : (
                <SecretsView
                  secrets={secrets.data}
                  canChange={canChange}
                  onChanged={() => inBackground(secrets.refetch())}
                />
              ),
            },
          ]}
        />
      )}
      <SecretDialog
        open={isSetting}
        onSaved={() => inBackground(secrets.refetch())}
        onClose={() => setSetting(false)}
      />
    </Page>
  )
}
