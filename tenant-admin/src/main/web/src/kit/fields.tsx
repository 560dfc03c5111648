/** Inputs with a label above and a help text below, which an error replaces. */
import { CircleAlert, Eye, EyeOff } from 'lucide-react';
import {
  useId,
  useState,
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { Button, cx, ICON } from './basics';
import css from './kit.module.css';

interface Common {
  readonly label: string;
  readonly help?: ReactNode;
  readonly error?: ReactNode;
  readonly optional?: boolean;
}

function Field({ label, help, error, optional, id, children }: Common & { id: string; children: ReactNode }) {
  return (
    <div className={css.field}>
      <label className={css.label} htmlFor={id}>
        {label}
        {optional ? <span> (optional)</span> : null}
      </label>
      {children}
      {error ? (
        <p className={css.wrong} id={`${id}-note`}>
          <CircleAlert {...ICON} size={13} />
          {error}
        </p>
      ) : help ? (
        <p className={css.help} id={`${id}-note`}>
          {help}
        </p>
      ) : null}
    </div>
  );
}

function described({ help, error }: Common, id: string) {
  return {
    id,
    'aria-invalid': error ? true : undefined,
    'aria-describedby': help || error ? `${id}-note` : undefined,
  } as const;
}

function own<T extends Common>(props: T): Omit<T, keyof Common> {
  const { label: _label, help: _help, error: _error, optional: _optional, ...rest } = props;
  return rest;
}

export function TextField(props: Common & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  return (
    <Field {...props} id={id}>
      <input {...own(props)} {...described(props, id)} className={cx(css.input, props.className)} />
    </Field>
  );
}

export function PasswordField(props: Common & InputHTMLAttributes<HTMLInputElement>) {
  const id = useId();
  const [visible, setVisible] = useState(false);
  return (
    <Field {...props} id={id}>
      <div className={css.with}>
        <input
          {...own(props)}
          {...described(props, id)}
          type={visible ? 'text' : 'password'}
          className={css.input}
        />
        <Button
          kind="bare"
          small
          iconOnly
          icon={visible ? EyeOff : Eye}
          aria-label={visible ? 'Hide password' : 'Show password'}
          onClick={() => setVisible(!visible)}
        />
      </div>
    </Field>
  );
}

export function TextArea(props: Common & TextareaHTMLAttributes<HTMLTextAreaElement>) {
  const id = useId();
  return (
    <Field {...props} id={id}>
      <textarea {...own(props)} {...described(props, id)} className={cx(css.input, props.className)} />
    </Field>
  );
}

export function SelectField({ children, ...props }: Common & SelectHTMLAttributes<HTMLSelectElement>) {
  const id = useId();
  return (
    <Field {...props} id={id}>
      <select {...own(props)} {...described(props, id)} className={css.input}>
        {children}
      </select>
    </Field>
  );
}
