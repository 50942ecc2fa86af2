// The settings of databases that get tables.

import { choice, field, textInput } from '../parts/parts.js';

/// A PostgreSQL database.
export class DatabaseForm {
  /// `prefix` begins the ids of the fields, on a page with one form.
  constructor(settings, prefix) {
    const id = (name) => (prefix ? `${prefix}-${name}` : undefined);
    const text = (name, attributes) => textInput(String(settings[name] ?? ''), { id: id(name), ...attributes });
    this.isNew = !settings.host;
    this.timeoutSeconds = settings.timeoutSeconds;
    this.host = text('host', { required: true, maxlength: '255' });
    this.port = text('port', { type: 'number', min: '1', max: '65535', placeholder: '5432' });
    this.database = text('database', { required: true, maxlength: '63' });
    this.schema = text('schema', { placeholder: 'tributary', maxlength: '63' });
    this.user = text('user', { required: true, maxlength: '63' });
    this.password = textInput('', { id: id('password'), type: 'password', maxlength: '256', autocomplete: 'new-password' });
    const modes = [
      ['verify', 'Encrypted, with a server that proves its name'], ['require', 'Encrypted, with any server'], ['disable', 'Not encrypted'],
    ];
    this.tls = choice(modes, settings.tls || 'verify', { id: id('tls') });
  }

  get fields() {
    return [
      field('Server', this.host, 'Its name or address, or the folder of its socket.'), field('Port', this.port),
      field('Database', this.database), field('Schema', this.schema, 'It gets the tables.'),
      field('User', this.user, 'It needs the right to make tables in the schema.'),
      field('Password', this.password, this.isNew ? 'It is never shown again.' : 'Empty keeps the one that is stored.'),
      field('Connection', this.tls),
    ];
  }

  /// The settings for the server, which checks and stores them. An empty field has the default.
  get change() {
    const settings = { host: this.host.value, database: this.database.value, user: this.user.value, tls: this.tls.value };
    if (this.port.value) settings.port = Number(this.port.value);
    if (this.schema.value) settings.schema = this.schema.value;
    if (this.timeoutSeconds) settings.timeoutSeconds = this.timeoutSeconds;
    return this.password.value ? { settings, secret: this.password.value } : { settings };
  }
}

/// A ClickHouse database.
export class ClickHouseForm {
  /// `prefix` begins the ids of the fields, on a page with one form.
  constructor(settings, prefix) {
    const id = (name) => (prefix ? `${prefix}-${name}` : undefined);
    const text = (name, attributes) => textInput(String(settings[name] ?? ''), { id: id(name), ...attributes });
    this.isNew = !settings.url;
    this.timeoutSeconds = settings.timeoutSeconds;
    this.url = text('url', { type: 'url', required: true, placeholder: 'https://' });
    this.database = text('database', { placeholder: 'tributary', maxlength: '63' });
    this.user = text('user', { placeholder: 'default', maxlength: '63' });
    this.password = textInput('', { id: id('password'), type: 'password', maxlength: '256', autocomplete: 'new-password' });
  }

  get fields() {
    return [
      field('Address', this.url, 'That of the HTTP interface of one server, without a path.'),
      field('Database', this.database, 'It gets the tables.'),
      field('User', this.user, 'It needs the right to make tables in the database.'),
      field('Password', this.password, this.isNew ? 'It is never shown again.' : 'Empty keeps the one that is stored.'),
    ];
  }

  /// The settings for the server, which checks and stores them. An empty field has the default.
  get change() {
    const settings = { url: this.url.value };
    if (this.database.value) settings.database = this.database.value;
    if (this.user.value) settings.user = this.user.value;
    if (this.timeoutSeconds) settings.timeoutSeconds = this.timeoutSeconds;
    return this.password.value ? { settings, secret: this.password.value } : { settings };
  }
}
