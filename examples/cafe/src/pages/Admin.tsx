import { useEffect, useState } from 'react'
import { euros, type Product, supabase } from '../clients'

export function Admin() {
  const [products, setProducts] = useState<Product[]>()
  const [notice, setNotice] = useState('')

  useEffect(() => {
    supabase
      .from('products')
      .select('id, name, description, price_cents, stock, hue')
      .order('name')
      .then(({ data }) => setProducts(data ?? []))
  }, [])

  async function save(product: Product, form: FormData) {
    const price_cents = Math.round(Number(form.get('price')) * 100)
    const { data, error } = await supabase
      .from('products')
      .update({ price_cents })
      .eq('id', product.id)
      .select('id, name, description, price_cents, stock, hue')
    if (error) return setNotice(error.message)
    const [saved] = data
    if (!saved) return setNotice('You may not change prices.')
    setProducts((before) => before?.map((other) => (other.id === saved.id ? saved : other)))
    setNotice(`${saved.name} now costs ${euros(saved.price_cents)}.`)
  }

  return (
    <>
      <h1>Prices</h1>
      <p className="sub" role="status">
        {notice || 'For the people behind the counter'}
      </p>
      <ul className="menu">
        {products?.map((product) => (
          <li key={product.id}>
            <i style={{ '--hue': product.hue } as React.CSSProperties} />
            <div>
              {product.name}
              <small>{product.stock} left</small>
            </div>
            <form action={(form) => save(product, form)} className="price-form">
              <input
                name="price"
                type="number"
                step="0.05"
                min="0"
                aria-label={`Price of ${product.name}`}
                key={product.price_cents}
                defaultValue={(product.price_cents / 100).toFixed(2)}
              />
              <button type="submit" aria-label={`Save ${product.name}`}>
                Save
              </button>
            </form>
          </li>
        ))}
      </ul>
    </>
  )
}
