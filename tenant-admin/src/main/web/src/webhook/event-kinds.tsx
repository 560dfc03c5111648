/** A choice of kinds of events, by the thing that they are about. */
import type { ReactNode } from 'react';
import kit from '../kit/kit.module.css';
import type { EventType } from './queries';
import css from './webhook.module.css';

export function EventKinds({
  types,
  value,
  error,
  onChange,
}: {
  types: readonly EventType[];
  value: readonly string[];
  error: ReactNode;
  onChange: (value: string[]) => void;
}) {
  const groups = [...new Set(types.map((type) => thing(type.kind)))];
  const set = (kinds: readonly string[], on: boolean) =>
    onChange(
      types.map((type) => type.kind).filter((kind) => (kinds.includes(kind) ? on : value.includes(kind))),
    );
  return (
    <fieldset className={kit.field}>
      <legend className={`${kit.label} ${css.legend}`}>Events</legend>
      <div className={css.kinds}>
        {groups.map((group) => {
          const kinds = types.filter((type) => thing(type.kind) === group);
          const names = kinds.map((type) => type.kind);
          const chosen = names.filter((kind) => value.includes(kind)).length;
          return (
            <div key={group} role="group" aria-label={group}>
              <label className={css.all}>
                <input
                  type="checkbox"
                  checked={chosen === names.length}
                  ref={(input) => {
                    if (input) input.indeterminate = chosen > 0 && chosen < names.length;
                  }}
                  onChange={(event) => set(names, event.target.checked)}
                />
                {group}.*
              </label>
              {kinds.map(({ kind, description }) => (
                <label key={kind} className={css.kind} title={description}>
                  <input
                    type="checkbox"
                    checked={value.includes(kind)}
                    onChange={(event) => set([kind], event.target.checked)}
                  />
                  {kind.slice(group.length + 1)}
                </label>
              ))}
            </div>
          );
        })}
      </div>
      {error ? <p className={kit.wrong}>{error}</p> : null}
    </fieldset>
  );
}

/** Kinds in few words: email.*, contact.created. */
export function summary(kinds: readonly string[], types: readonly EventType[] | undefined): string {
  const groups = [...new Set(kinds.map(thing))];
  return groups
    .flatMap((group) => {
      const chosen = kinds.filter((kind) => thing(kind) === group);
      const all = types?.filter((type) => thing(type.kind) === group).length;
      return all === chosen.length && all > 1 ? [`${group}.*`] : chosen;
    })
    .join(', ');
}

function thing(kind: string): string {
  return kind.split('.')[0]!;
}
