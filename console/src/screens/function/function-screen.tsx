import { useQuery } from '@tanstack/react-query'
import { Page } from '../../frame/page.tsx'
import type { FunctionInfo } from '../../lib/api/schemas.ts'
import { Badge } from '../../ui/badge.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { CodePanel } from './code-panel.tsx'
import { InvokePanel } from './invoke-panel.tsx'
import { LogsPanel } from './logs-panel.tsx'
import { OverviewPanel } from './overview-panel.tsx'
import { versionsQuery } from './queries.ts'
import type { FunctionSearch, FunctionTab } from './search.ts'
import { TriggersPanel } from './triggers-panel.tsx'
import { VersionsPanel } from './versions-panel.tsx'

interface FunctionScreenProps {
  readonly info: FunctionInfo
  readonly search: FunctionSearch
  readonly onSearch: (search: FunctionSearch) => void
}

/** One function: its figures, its code, a call by hand, its log, its versions, what calls it. */
export function FunctionScreen({ info, search, onSearch }: FunctionScreenProps) {
  const { tab = 'overview' } = search
  const { name } = info
  const { data: versions } = useQuery(versionsQuery(name))
  const tabs: readonly { name: FunctionTab; label: string; count?: number | undefined }[] = [
    { name: 'overview', label: 'Overview' },
    { name: 'code', label: 'Code' },
    { name: 'invoke', label: 'Invoke' },
    { name: 'logs', label: 'Logs' },
    { name: 'versions', label: 'Versions', count: versions?.length },
    { name: 'triggers', label: 'Triggers' },
  ]
  const panels = {
    overview: () => <OverviewPanel name={name} search={search} onSearch={onSearch} />,
    code: () => <CodePanel info={info} file={search.file} onFile={(file) => onSearch({ tab: 'code', file })} />,
    invoke: () => <InvokePanel info={info} />,
    logs: () => <LogsPanel name={name} search={search} onSearch={onSearch} />,
    versions: () => <VersionsPanel info={info} versions={versions} />,
    triggers: () => <TriggersPanel name={name} />,
  }
  return (
    <Page
      crumbs={[{ label: 'Functions', link: { to: '/functions' } }]}
      title={<span className="mono">{name}</span>}
      facts={
        <>
          {info.isPinned && <Badge tone="warn">rolled back</Badge>}
          <span>{info.verifyJwt ? 'callers need a token' : 'anyone may call it'}</span>
        </>
      }
    >
      <Tabs<FunctionTab>
        label={name}
        value={tab}
        onChange={(next) => onSearch(next === 'overview' ? {} : { tab: next })}
        className="flex-1"
        tabs={tabs.map((each) => ({ ...each, panel: each.name === tab ? panels[tab]() : null }))}
      />
    </Page>
  )
}
