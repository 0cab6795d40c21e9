import { type InputHTMLAttributes, useId } from 'react'

type Options = InputHTMLAttributes<HTMLInputElement> & { label: string; hint?: string; error?: string | undefined }

export function Field({ label, hint, error, ...input }: Options) {
  const id = useId()
  return (
    <div className="entrance-field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-describedby={`${id}-about`} aria-invalid={error !== undefined} {...input} />
      <span id={`${id}-about`} className={error === undefined ? 'entrance-hint' : 'entrance-error'}>
        {error ?? hint}
      </span>
    </div>
  )
}
