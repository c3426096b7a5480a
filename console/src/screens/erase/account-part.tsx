import { Card } from '../../ui/card.tsx'
import { RowsPart, type RowsPartProps } from './rows-part.tsx'
import { Verdict, type VerdictProps } from './verdict.tsx'

/** The user's account, the rows that name it, and whether the database lets it go. */
export function AccountPart({ check, ...rows }: RowsPartProps & VerdictProps) {
  return (
    <Card
      title="The account and rows of your tables"
      about="The user’s account goes, with identities, sessions and factors. Rows that name it by a foreign key go as you choose."
    >
      {rows.tables.length > 0 && <RowsPart {...rows} />}
      <Verdict check={check} />
    </Card>
  )
}
