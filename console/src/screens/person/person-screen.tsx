import { Page } from '../../frame/page.tsx'
import { Held } from '../../holds/held.tsx'
import type { PersonDetail } from '../../lib/api/schemas.ts'
import { personName } from '../../lib/person.ts'
import { PropertiesView } from '../../thread/properties-view.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { FlagsView } from './flags-view.tsx'
import { IdsView } from './ids-view.tsx'
import { LinePart } from './line-part.tsx'
import { PersonActions } from './person-actions.tsx'
import { PersonFacts } from './person-facts.tsx'
import type { PersonSearch } from './search.ts'

interface PersonScreenProps {
  readonly detail: PersonDetail
  readonly search: PersonSearch
  readonly onSearch: (search: PersonSearch) => void
}

/** One person: who they are beside what is stored of them. */
export function PersonScreen({ detail, search, onSearch }: PersonScreenProps) {
  const { person, properties, ids, idCount } = detail
  const { tab = 'line' } = search
  return (
    <Page
      crumbs={[{ label: 'People', link: { to: '/people' } }]}
      title={personName(person)}
      facts={<Held subject={{ kind: 'person', id: person.id }} />}
      actions={<PersonActions detail={detail} />}
    >
      <div className="flex min-h-0 flex-1 max-wide:flex-col-reverse">
        <Tabs<'line' | NonNullable<PersonSearch['tab']>>
          label="What is known"
          value={tab}
          onChange={(name) => onSearch(name === 'line' ? {} : { tab: name })}
          className="min-w-0 flex-1"
          tabs={[
            {
              name: 'line',
              label: 'Line of time',
              panel: tab === 'line' ? <LinePart personId={person.id} search={search} onSearch={onSearch} /> : null,
            },
            {
              name: 'properties',
              label: 'Properties',
              count: properties.length,
              panel: <PropertiesView properties={properties} setBy="`identify` or `setPersonProperties`" />,
            },
            { name: 'ids', label: 'Ids', count: idCount, panel: <IdsView ids={ids} idCount={idCount} /> },
            { name: 'flags', label: 'Flags', panel: tab === 'flags' ? <FlagsView personId={person.id} /> : null },
          ]}
        />
        <div className="wide:w-76 shrink-0 overflow-y-auto border-line wide:border-l max-wide:max-h-2/5 max-wide:border-b p-4">
          <PersonFacts detail={detail} />
        </div>
      </div>
    </Page>
  )
}
