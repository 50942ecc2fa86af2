// The settings of a store with the interface of S3, and of files.

import { choice, field, textInput } from '../parts/parts.js';

/// The format of files or objects.
export class FormatForm {
  constructor(settings, prefix) {
    const id = (name) => (prefix ? `${prefix}-${name}` : undefined);
    const formats = [['ndjson', 'Lines of JSON, compressed'], ['parquet', 'Parquet']];
    this.format = choice(formats, settings.format || 'ndjson', { id: id('format') });
    this.columns = textInput(settings.columns || '', { id: id('columns'), placeholder: 'name,userId,properties.total:double' });
    this.columnsField = field('Columns', this.columns, 'As in an export, each with its type behind a colon. Empty: the usual columns.');
    const show = () => { this.columnsField.hidden = this.format.value !== 'parquet'; };
    this.format.addEventListener('change', show);
    show();
  }

  get fields() { return [field('Format', this.format), this.columnsField]; }

  get change() {
    const settings = { format: this.format.value };
    if (this.format.value === 'parquet' && this.columns.value) settings.columns = this.columns.value;
    return { settings };
  }
}

export class ObjectForm {
  /// `prefix` begins the ids of the fields, on a page with one form. A new destination needs a secret.
  constructor(settings, prefix) {
    const id = (name) => (prefix ? `${prefix}-${name}` : undefined);
    const text = (name, attributes) => textInput(settings[name] || '', { id: id(name), ...attributes });
    this.isNew = !settings.endpoint;
    this.endpoint = text('endpoint', { type: 'url', required: true, placeholder: 'https://' });
    this.bucket = text('bucket', { required: true, maxlength: '63' });
    this.folder = text('prefix', { maxlength: '512' });
    this.region = text('region', { placeholder: 'us-east-1', maxlength: '64' });
    this.accessKey = text('accessKey', { required: true, maxlength: '256' });
    this.secret = textInput('', {
      id: id('secret'), type: 'password', required: this.isNew, maxlength: '256', autocomplete: 'new-password',
    });
    const styles = [['path', 'https://host/bucket/…'], ['host', 'https://bucket.host/…']];
    this.style = choice(styles, settings.pathStyle === false ? 'host' : 'path', { id: id('style') });
    this.form = new FormatForm(settings, prefix);
  }

  get fields() {
    return [
      field('Endpoint', this.endpoint, 'The address of the store, without a path.'), field('Bucket', this.bucket),
      field('Prefix', this.folder, 'What the names of all objects begin with. May be empty.'),
      field('Region', this.region), field('Access key', this.accessKey, 'It needs the right s3:PutObject, and no other.'),
      field('Secret access key', this.secret, this.isNew ? 'It is never shown again.' : 'Empty keeps the one that is stored.'),
      field('Addresses of objects', this.style, 'Where the bucket stands in them.'),
      ...this.form.fields,
    ];
  }

  /// The settings for the server, which checks and stores them. An empty field has the default.
  get change() {
    const settings = {
      endpoint: this.endpoint.value, bucket: this.bucket.value, accessKey: this.accessKey.value,
      pathStyle: this.style.value === 'path', ...this.form.change.settings,
    };
    if (this.folder.value) settings.prefix = this.folder.value;
    if (this.region.value) settings.region = this.region.value;
    return this.secret.value ? { settings, secret: this.secret.value } : { settings };
  }
}
