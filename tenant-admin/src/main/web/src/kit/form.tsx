/** Forms: checked on blur, then on each key once wrong; errors of the API stand at their fields. */
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import { explained } from './problems';
import css from './kit.module.css';

type Values = Record<string, unknown>;

/** Time after which a field that was left is checked. */
const BLUR_MS = 200;

export interface Fields<V extends Values> {
  readonly form: UseFormReturnType<V>;
  readonly busy: boolean;
  /** Errors that belong to no field. */
  readonly rest: readonly string[];
  readonly submit: (event?: FormEvent<HTMLFormElement>) => void;
}

/** A form whose values are sent by an action; faults of the action are shown in the form. */
export function useFields<V extends Values>(
  initialValues: V,
  validate: { [K in keyof V]?: (value: V[K], values: V) => string | null },
  action: (values: V) => Promise<unknown>,
): Fields<V> {
  const [busy, setBusy] = useState(false);
  const [rest, setRest] = useState<string[]>([]);
  const wrong = useRef<string[]>([]);
  const form = useForm<V>({
    mode: 'controlled',
    initialValues,
    validate: validate as never,
    clearInputErrorOnChange: false,
    onValuesChange: () => wrong.current.forEach((path) => form.validateField(path)),
  });
  wrong.current = Object.keys(form.errors);
  const checked: UseFormReturnType<V> = {
    ...form,
    getInputProps: (path, options) => {
      const props = form.getInputProps(path, options);
      // Later than a click that takes the focus away, because an error moves what is below. An error that the server has
      // found meanwhile stays.
      const onBlur = () => {
        if (form.isDirty(path))
          setTimeout(() => {
            if (!wrong.current.includes(String(path))) form.validateField(path);
          }, BLUR_MS);
      };
      return { ...props, onBlur };
    },
  };
  const focus = (errors: object) => {
    const path = Object.keys(errors)[0];
    if (path)
      requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-path="${path}"]`)?.focus());
  };
  const send = async (values: V) => {
    if (busy) return;
    setBusy(true);
    setRest([]);
    try {
      await action(values);
    } catch (error) {
      const divided = explained(error, Object.keys(initialValues));
      form.setErrors(divided.fields);
      setRest(divided.rest);
      focus(divided.fields);
    } finally {
      setBusy(false);
    }
  };
  return { form: checked, busy, rest, submit: form.onSubmit((values) => void send(values), focus) };
}

export function Form<V extends Values>({
  fields,
  children,
  label,
}: {
  fields: Fields<V>;
  children: ReactNode;
  label?: string;
}) {
  return (
    <form className={css.form} noValidate onSubmit={fields.submit} aria-label={label}>
      {children}
    </form>
  );
}

/** Rules that several forms share. */
export const rules = {
  email: (value: string) =>
    /^[^\s@]+@[^\s@]+$/.test(value.trim())
      ? null
      : value.trim()
        ? 'Invalid email address.'
        : 'Enter an address.',
  password: (value: string) =>
    [...value].length >= 12 ? null : `At least 12 characters; this has ${[...value].length}.`,
  required: (what: string) => (value: string) => (value.trim() ? null : `Enter ${what}.`),
};
