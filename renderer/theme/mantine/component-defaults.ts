import {
  Alert,
  Autocomplete,
  Badge,
  Checkbox,
  Input,
  Menu,
  Modal,
  Notification,
  Popover,
  Progress,
  Radio,
  SegmentedControl,
  Select,
  Tooltip,
} from '@mantine/core';
import choices from './choices.module.css';
import feedback from './feedback.module.css';
import fields from './fields.module.css';

const AT_ONCE = { transitionProps: { duration: 0 } };
const AS_TYPED = { autoComplete: 'off', spellCheck: false };

const choiceClasses = {
  root: choices.choice ?? '',
  inner: choices.box ?? '',
  description: choices.description ?? '',
};
const list = {
  // The list is rendered in a portal, above dialogs.
  comboboxProps: { ...AT_ONCE, offset: 4, zIndex: 60 },
  withScrollArea: false,
  classNames: {
    dropdown: fields.dropdown ?? '',
    option: fields.option ?? '',
    empty: fields.empty ?? '',
  },
};

/** Defaults of Mantine's components, so that each follows the theme's tokens everywhere. */
export const componentDefaults = {
  // Scroll lock is off, because it injects a style element; only the page's own panes scroll, and those are under the
  // scrim.
  ModalRoot: Modal.Root.extend({ defaultProps: { ...AT_ONCE, lockScroll: false, zIndex: 40 } }),
  Menu: Menu.extend({ defaultProps: { ...AT_ONCE, offset: 6, shadow: 'md', radius: 'lg' } }),
  Popover: Popover.extend({ defaultProps: { ...AT_ONCE, offset: 6, shadow: 'md', radius: 'lg' } }),
  Tooltip: Tooltip.extend({
    defaultProps: {
      ...AT_ONCE,
      openDelay: 400,
      zIndex: 70,
      events: { hover: true, focus: true, touch: false },
    },
    classNames: { tooltip: feedback.tooltip ?? '' },
  }),

  Input: Input.extend({
    defaultProps: AS_TYPED,
    classNames: { wrapper: fields.wrapper ?? '', input: fields.input ?? '' },
  }),
  InputWrapper: Input.Wrapper.extend({
    defaultProps: {
      inputWrapperOrder: ['label', 'input', 'description', 'error'],
      errorProps: { role: 'alert' },
    },
    classNames: {
      label: fields.label ?? '',
      description: fields.description ?? '',
      error: fields.error ?? '',
    },
  }),
  Autocomplete: Autocomplete.extend({
    defaultProps: { comboboxProps: list.comboboxProps, withScrollArea: false, openOnFocus: false },
    classNames: list.classNames,
  }),
  Select: Select.extend({
    defaultProps: {
      comboboxProps: list.comboboxProps,
      withScrollArea: false,
      allowDeselect: false,
      checkIconPosition: 'right',
    },
    classNames: list.classNames,
  }),

  Checkbox: Checkbox.extend({ classNames: { ...choiceClasses, input: choices.input ?? '' } }),
  Radio: Radio.extend({ classNames: { ...choiceClasses, radio: choices.input ?? '' } }),
  SegmentedControl: SegmentedControl.extend({
    defaultProps: { withItemsBorders: false, transitionDuration: 90, size: 'xs' },
    classNames: {
      root: choices.segmented ?? '',
      indicator: choices.indicator ?? '',
      input: choices['segment-input'] ?? '',
      label: choices.segment ?? '',
      innerLabel: choices['segment-text'] ?? '',
    },
  }),

  Alert: Alert.extend({
    classNames: {
      root: feedback.alert ?? '',
      icon: feedback['alert-icon'] ?? '',
      body: feedback['alert-body'] ?? '',
      message: feedback['alert-message'] ?? '',
    },
  }),
  Notification: Notification.extend({
    classNames: {
      root: feedback.notification ?? '',
      icon: feedback['notification-icon'] ?? '',
      title: feedback['notification-title'] ?? '',
      description: feedback['notification-text'] ?? '',
      closeButton: feedback['notification-close'] ?? '',
    },
  }),
  Progress: Progress.Root.extend({ classNames: { root: feedback.progress ?? '' } }),
  Badge: Badge.extend({ classNames: { root: feedback.badge ?? '' } }),
};
