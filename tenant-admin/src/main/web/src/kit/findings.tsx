/** Results of the checks of content, which must be green before it is sent. */
import { Check, CircleAlert, TriangleAlert, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ContentCheck, FindingLevel } from '../gen/graphql';
import { counted } from '../words/formats';
import { ICON } from './basics';
import css from './findings.module.css';

export interface Finding {
  readonly check: ContentCheck;
  readonly level: FindingLevel;
  readonly message: string;
}

const icons: Record<FindingLevel, LucideIcon> = { PASSED: Check, WARNING: TriangleAlert, ERROR: CircleAlert };

const levels: Record<FindingLevel, string> = { PASSED: 'Passed', WARNING: 'Warning', ERROR: 'Error' };

const nouns: Record<ContentCheck, string> = {
  DOCUMENT: 'Document',
  SUBJECT: 'Subject',
  PREHEADER: 'Preheader',
  LINKS: 'Links',
  IMAGES: 'Images',
  ALT: 'Alternative text',
  SIZE: 'Size',
  CONTRAST: 'Contrast',
  TEXT: 'Text part',
  UNSUBSCRIBE: 'Unsubscribe',
  SPAM: 'Spam words',
};

const order: readonly FindingLevel[] = ['ERROR', 'WARNING', 'PASSED'];

/** The findings of a level. */
export function ofLevel(findings: readonly Finding[] | undefined, level: FindingLevel): readonly Finding[] {
  return (findings ?? []).filter((finding) => finding.level === level);
}

/** Items of a list of checks, errors first. */
export function FindingItems({
  findings,
  act,
}: {
  findings: readonly Finding[];
  /** A button that corrects a finding. */
  act?: (finding: Finding) => ReactNode;
}) {
  return order
    .flatMap((level) => ofLevel(findings, level))
    .map((finding) => (
      <CheckItem
        key={`${finding.check} ${finding.message}`}
        level={finding.level}
        noun={nouns[finding.check]}
        act={act?.(finding)}
      >
        {finding.message}
      </CheckItem>
    ));
}

/** An item of a list of checks. */
export function CheckItem({
  level,
  noun,
  act,
  children,
}: {
  level: FindingLevel;
  noun: string;
  act?: ReactNode;
  children: ReactNode;
}) {
  const Icon = icons[level];
  return (
    <li data-level={level}>
      <Icon {...ICON} strokeWidth={2} aria-hidden={false} role="img" aria-label={levels[level]} />
      <p>
        <b>{noun}</b> {children}
      </p>
      {act}
    </li>
  );
}

/** A list of checks. */
export function Checklist({ children }: { children: ReactNode }) {
  return (
    <ul className={css.checks} aria-label="Checks">
      {children}
    </ul>
  );
}

/** What the findings mean together. */
export function verdict(findings: readonly Finding[] | undefined): string {
  const errors = ofLevel(findings, 'ERROR').length;
  const warnings = ofLevel(findings, 'WARNING').length;
  if (!findings) return 'checking';
  if (errors > 0) return `${counted(errors, 'error')} to fix`;
  return warnings > 0 ? `${counted(warnings, 'warning')}` : 'all passed';
}
