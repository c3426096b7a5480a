import posthog from 'posthog-js'
import { useEffect, useState } from 'react'
import { euros, failureOf, type Product, supabase } from '../clients'
import { Photo } from '../Photo'

const columns = 'id, name, description, price_cents, stock, hue, photo'

export function Admin() {
  const [products, setProducts] = useState<Product[]>()
  const [notice, setNotice] = useState('')

  useEffect(() => {
    supabase
      .from('products')
      .select(columns)
      .order('name')
      .then(({ data }) => setProducts(data ?? []))
  }, [])

  async function change(product: Product, values: Partial<Product>, notice: (saved: Product) => string) {
    const { data, error } = await supabase.from('products').update(values).eq('id', product.id).select(columns)
    if (error) {
      posthog.captureException(failureOf('save product', error))
      return setNotice(error.message)
    }
    const [saved] = data
    if (!saved) return setNotice('You may not change products.')
    setProducts((before) => before?.map((other) => (other.id === saved.id ? saved : other)))
    setNotice(notice(saved))
  }

  const savePrice = (product: Product, form: FormData) =>
    change(
      product,
      { price_cents: Math.round(Number(form.get('price')) * 100) },
      ({ name, price_cents }) => `${name} now costs ${euros(price_cents)}.`,
    )

  async function savePhoto(product: Product, file: File) {
    setNotice(`Uploading a photograph of ${product.name}…`)
    // A name of its own: browsers keep the earlier one for an hour, and recordings show it.
    const path = `${product.id}/${Date.now()}-${file.name.replace(/[^\w.-]/g, '-')}`
    const { data, error } = await supabase.storage.from('photos').upload(path, file, { contentType: file.type })
    if (error) {
      posthog.captureException(error, { product: product.name, file_bytes: file.size, file_type: file.type })
      return setNotice(`${product.name} keeps its photograph: ${error.message}.`)
    }
    await change(product, { photo: data.fullPath }, ({ name }) => `${name} has a new photograph.`)
  }

  return (
    <>
      <h1>Prices and photographs</h1>
      <p className="sub" role="status">
        {notice || 'For the people behind the counter: click a photograph to replace it'}
      </p>
      <ul className="menu">
        {products?.map((product) => (
          <li key={product.id}>
            <label className="new-photo">
              <Photo product={product} />
              <input
                type="file"
                accept="image/jpeg,image/png,image/webp,image/avif"
                aria-label={`Photograph of ${product.name}`}
                onChange={(event) => {
                  const [file] = event.target.files ?? []
                  if (file) savePhoto(product, file)
                  event.target.value = ''
                }}
              />
            </label>
            <div>
              {product.name}
              <small>{product.stock} left</small>
            </div>
            <form action={(form) => savePrice(product, form)} className="price-form">
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
