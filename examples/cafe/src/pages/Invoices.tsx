import { useEffect, useState } from 'react'
import { euros, supabase } from '../clients'

interface Invoice {
  id: number
  total_cents: number
  issued_at: string
}

export function Invoices() {
  const [invoices, setInvoices] = useState<Invoice[]>()

  useEffect(() => {
    supabase
      .from('invoices')
      .select('id, total_cents, issued_at')
      .then(({ data }) => setInvoices(data ?? []))
  }, [])

  return (
    <>
      <h1>My invoices</h1>
      {invoices?.length === 0 && <p className="empty">You have no invoices.</p>}
      <ul className="orders">
        {invoices?.map((invoice) => (
          <li key={invoice.id}>
            <b>Invoice {invoice.id}</b>
            <span className="price">{euros(invoice.total_cents)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
