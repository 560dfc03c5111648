/** The published versions of a template, and what differs between them. Load it lazily. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button, cx, Segments, Time } from '../kit/basics';
import kit from '../kit/kit.module.css';
import { Dialog } from '../kit/layers';
import { Failed, Loading } from '../kit/page';
import { compare, inLines, type Line } from './compare';
import { versionQuery, type Version, type VersionContent } from './queries';
import css from './template.module.css';

type Other = 'before' | 'editor';

/** Content of the editor or of a version, to be compared. */
type Compared = Pick<VersionContent, 'name' | 'subject' | 'htmlContent' | 'textContent' | 'variables'>;

const NOTHING: Compared = { name: '', subject: '', htmlContent: '', textContent: '', variables: [] };

export default function History({
  id,
  versions,
  editor,
  onRestore,
  onClose,
}: {
  id: string;
  versions: readonly Version[];
  editor: Compared;
  onRestore: (content: VersionContent) => void;
  onClose: () => void;
}) {
  const published = versions.filter((version) => version.number !== null);
  const [number, setNumber] = useState(published[0]?.number ?? 0);
  const [other, setOther] = useState<Other>('before');
  const previous = published[published.findIndex((version) => version.number === number) + 1]?.number ?? 0;
  const chosen = useQuery({ ...versionQuery(id, number), enabled: number > 0 });
  const before = useQuery({ ...versionQuery(id, previous), enabled: previous > 0 && other === 'before' });
  const loaded = chosen.data && (other === 'editor' || previous === 0 || before.data !== undefined);
  const error = chosen.error ?? before.error;
  return (
    <Dialog title="History" wide onClose={onClose}>
      {published.length === 0 ? (
        <p className={kit.dialogText}>The history begins when the content is published the next time.</p>
      ) : (
        <div className={css.history}>
          <fieldset className={css.versions} aria-label="Versions">
            {published.map((version) => (
              <label key={version.number}>
                <input
                  type="radio"
                  name="version"
                  checked={version.number === number}
                  onChange={() => setNumber(version.number ?? 0)}
                />
                <b>Version {version.number}</b>
                <span>
                  <Time at={version.changedAt} />
                </span>
                <span>
                  {version.author ? (
                    <>
                      {version.byApiKey ? 'API key ' : ''}
                      <bdi>{version.author}</bdi>
                    </>
                  ) : (
                    'author unknown'
                  )}
                </span>
              </label>
            ))}
          </fieldset>
          <Segments
            label="Comparison"
            value={other}
            options={[
              { value: 'before', text: 'What it changed' },
              { value: 'editor', text: 'Against the editor' },
            ]}
            onChange={setOther}
          />
          {error ? (
            <Failed error={error} retry={() => void chosen.refetch()} />
          ) : chosen.data === null ? (
            <p className={kit.quiet}>This version is not kept any more.</p>
          ) : loaded ? (
            other === 'editor' ? (
              <Difference before={chosen.data!} after={editor} />
            ) : (
              <Difference before={before.data ?? NOTHING} after={chosen.data!} />
            )
          ) : (
            <Loading lines={5} />
          )}
        </div>
      )}
      <div className={kit.dialogActs}>
        <Button onClick={onClose}>Close</Button>
        <Button
          kind="main"
          needs="TEMPLATES"
          title="Puts it into the editor; nothing is published yet"
          onClick={() => {
            if (chosen.data) onRestore(chosen.data);
          }}
        >
          Restore version {number}
        </Button>
      </div>
    </Dialog>
  );
}

/** Differences of two contents, part by part. */
function Difference({ before, after }: { before: Compared; after: Compared }) {
  const parts = [
    { name: 'Name', lines: compare(before.name, after.name) },
    { name: 'Subject', lines: compare(before.subject ?? '', after.subject ?? '') },
    { name: 'Variables', lines: compare(before.variables.join('\n'), after.variables.join('\n')) },
    { name: 'HTML', lines: compare(inLines(before.htmlContent ?? ''), inLines(after.htmlContent ?? '')) },
    { name: 'Text', lines: compare(before.textContent ?? '', after.textContent ?? '') },
  ].filter(({ lines }) => lines.length > 0);
  if (parts.length === 0) return <p className={kit.quiet}>The contents are equal.</p>;
  return (
    <>
      {parts.map(({ name, lines }) => (
        <section key={name} className={css.part}>
          <h3>{name}</h3>
          <div className={css.diff} role="region" aria-label={`Differences of ${name}`} tabIndex={0}>
            {lines.map((line, index) => (
              <Row key={index} line={line} />
            ))}
          </div>
        </section>
      ))}
    </>
  );
}

function Row({ line }: { line: Line }) {
  if (line.kind === 'gap')
    return <p className={css.gap}>… {line.count === 1 ? '1 equal line' : `${line.count} equal lines`}</p>;
  if (line.kind === 'same') return <p>{`  ${line.text}`}</p>;
  return (
    <p className={cx(line.kind === 'added' ? css.added : css.removed)}>
      {line.kind === 'added' ? <ins>{`+ ${line.text}`}</ins> : <del>{`- ${line.text}`}</del>}
    </p>
  );
}
