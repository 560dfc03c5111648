/** Floating layers. They are one chunk, which is fetched when the browser is idle. */
import '@mantine/core/styles/ScrollArea.css';
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Paper.css';
import '@mantine/core/styles/Overlay.css';
import '@mantine/core/styles/Popover.css';
import '@mantine/core/styles/CloseButton.css';
import '@mantine/core/styles/ModalBase.css';
import '@mantine/core/styles/Modal.css';
import '@mantine/core/styles/Drawer.css';
import '@mantine/core/styles/Menu.css';
import { Drawer, Menu, Modal } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import type { DialogProps, MenuEntry, MenuProps, SheetProps } from './layers';
import { Button, ICON } from './basics';
import { Floating } from './floating';
import css from './overlays.module.css';

const MOTION = { duration: 120, transition: 'fade' } as const;

/** The element that had the focus before the first of the open layers. */
let outside: HTMLElement | null = null;

/** Returns the focus to the element that had it when the layer was opened. */
function useFocusBack(): void {
  const [back] = useState(() => {
    const focused = document.activeElement as HTMLElement | null;
    if (!focused?.closest('[role=dialog]')) outside = focused;
    return focused;
  });
  useEffect(
    () => () => {
      const to = [back, outside, document.getElementById('main')].find(
        (element) => element?.isConnected && element !== document.body,
      );
      to?.focus({ preventScroll: true });
    },
    [back],
  );
}

export function DialogLayer({ title, onClose, closable = true, wide = false, children }: DialogProps) {
  useFocusBack();
  return (
    <Floating>
      <Modal
        opened
        onClose={onClose}
        title={title}
        size={wide ? 640 : 460}
        radius={12}
        transitionProps={MOTION}
        closeOnClickOutside={closable}
        closeOnEscape={closable}
        withCloseButton={closable}
        closeButtonProps={{ 'aria-label': 'Close' }}
        classNames={{
          content: css.content!,
          header: css.header!,
          title: css.title!,
          body: css.body!,
          overlay: css.overlay!,
          inner: css.inner!,
        }}
      >
        {children}
      </Modal>
    </Floating>
  );
}

export function SheetLayer({ title, onClose, side, children }: SheetProps) {
  useFocusBack();
  return (
    <Floating>
      <Drawer
        opened
        onClose={onClose}
        position={side}
        size={side === 'left' ? 272 : 'min(560px, 100vw)'}
        title={title}
        padding={0}
        transitionProps={{ duration: 160 }}
        closeButtonProps={{ 'aria-label': 'Close' }}
        withCloseButton={side === 'left'}
        classNames={{
          content: css.sheet!,
          header: side === 'left' ? css.header! : css.none!,
          title: css.title!,
          body: css.sheetBody!,
          overlay: css.overlay!,
        }}
      >
        {children}
      </Drawer>
    </Floating>
  );
}

export function MenuLayer({ label, trigger, entries, opened = false }: MenuProps & { opened?: boolean }) {
  const target = useRef<HTMLButtonElement>(null);
  // Before an entry acts, so that a dialog returns the focus to the button of the menu.
  const back = () => {
    if (document.activeElement === document.body || document.activeElement?.closest('[role=menu]'))
      target.current?.focus({ preventScroll: true });
  };
  return (
    <Floating>
      <Menu
        position="bottom-end"
        radius={8}
        defaultOpened={opened}
        onClose={back}
        transitionProps={MOTION}
        classNames={{ dropdown: css.menu!, item: css.item!, label: css.label!, divider: css.divider! }}
      >
        <Menu.Target>
          {trigger.custom ? (
            <button ref={target} type="button" className={trigger.className} aria-label={label}>
              {trigger.custom}
            </button>
          ) : (
            <Button
              ref={target}
              iconOnly={trigger.iconOnly ?? false}
              kind={trigger.kind}
              icon={trigger.icon}
              aria-label={label}
            >
              {trigger.text}
            </Button>
          )}
        </Menu.Target>
        <Menu.Dropdown aria-label={label}>{entries.map(entry)}</Menu.Dropdown>
      </Menu>
    </Floating>
  );
}

function entry(item: MenuEntry): ReactNode {
  if (item.kind === 'line') return <Menu.Divider key={item.key} />;
  if (item.kind === 'label') return <Menu.Label key={item.text}>{item.text}</Menu.Label>;
  const Icon = item.icon;
  const shared = {
    leftSection: Icon ? <Icon {...ICON} /> : undefined,
    rightSection: item.right,
    'data-tone': item.tone,
  };
  return item.href ? (
    <Menu.Item key={item.text} component="a" href={item.href} target="_blank" rel="noreferrer" {...shared}>
      {item.text}
    </Menu.Item>
  ) : (
    <Menu.Item key={item.text} onClick={item.act} {...shared}>
      {item.text}
    </Menu.Item>
  );
}
