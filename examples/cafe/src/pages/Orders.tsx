import { useEffect, useState } from 'react'
import { euros, supabase } from '../clients'

interface Order {
  id: number
  total_cents: number
  status: string
  created_at: string
  order_items: { id: number; quantity: number; products: { name: string } }[]
  /** Null for orders from before there were receipts. */
  receipts: { tax_cents: number } | null
}

export function Orders() {
  const [orders, setOrders] = useState<Order[]>()

  useEffect(() => {
    supabase
      .from('orders')
      .select('id, total_cents, status, created_at, order_items(id, quantity, products(name)), receipts(tax_cents)')
      .order('id', { ascending: false })
      .overrideTypes<Order[], { merge: false }>()
      .then(({ data }) => setOrders(data ?? []))
  }, [])

  if (orders?.length === 0) return <p className="empty">Nothing ordered yet.</p>
  return (
    <>
      <h1>My orders</h1>
      <ul className="orders">
        {orders?.map((order) => (
          <li key={order.id}>
            <div>
              <b>Order #{order.id}</b> <span className="status">{order.status}</span>
              <small>{order.order_items.map((item) => `${item.quantity} × ${item.products.name}`).join(', ')}</small>
            </div>
            <span className="price">
              {euros(order.total_cents)}
              {order.receipts && (
                <small>
                  Receipt R-{order.id}, {euros(order.receipts.tax_cents)} of it tax
                </small>
              )}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
