package dev.mailroom.sdk;

import java.util.function.Consumer;

/**
 * Operations of <code>templates</code>.
 */
public final class Templates {

	final Transport transport;

	Templates(Transport transport) {
		this.transport = transport;
	}

	/**
	 * List templates, newest first. Permission: templates.read.
	 */
	public Items<Template> list(TemplatesListQuery query) {
		return this.transport.list(new Call("templates.list", "GET", "/templates").query(query), "templates",
				Template::of);
	}

	/**
	 * List templates, newest first. Permission: templates.read.
	 */
	public Items<Template> list() {
		return list(new TemplatesListQuery());
	}

	/**
	 * List templates, newest first. Permission: templates.read.
	 */
	public Items<Template> list(Consumer<TemplatesListQuery> query) {
		TemplatesListQuery fields = new TemplatesListQuery();
		query.accept(fields);
		return list(fields);
	}

	/**
	 * Create a template. Permission: templates.write.
	 */
	public Template create(NewTemplate body) {
		return Template
			.of(this.transport.json(new Call("templates.create", "POST", "/templates").repeatable().json(body))
				.object("data")
				.object("template"));
	}

	/**
	 * Create a template. Permission: templates.write.
	 */
	public Template create(Consumer<NewTemplate> fields) {
		NewTemplate body = new NewTemplate();
		fields.accept(body);
		return create(body);
	}

	/**
	 * Show a template. Permission: templates.read.
	 */
	public Template get(String id) {
		return Template.of(this.transport.json(new Call("templates.get", "GET", "/templates/" + Transport.encoded(id)))
			.object("data")
			.object("template"));
	}

	/**
	 * Change a template. Permission: templates.write.
	 */
	public Template update(String id, TemplateChange body) {
		return Template.of(this.transport
			.json(new Call("templates.update", "PATCH", "/templates/" + Transport.encoded(id)).json(body))
			.object("data")
			.object("template"));
	}

	/**
	 * Change a template. Permission: templates.write.
	 */
	public Template update(String id, Consumer<TemplateChange> fields) {
		TemplateChange body = new TemplateChange();
		fields.accept(body);
		return update(id, body);
	}

	/**
	 * Delete a template. Permission: templates.write.
	 */
	public void delete(String id) {
		this.transport.nothing(new Call("templates.delete", "DELETE", "/templates/" + Transport.encoded(id)));
	}

	/**
	 * Render a template. Permission: templates.read.
	 */
	public RenderedTemplate render(String id, Variables body) {
		return RenderedTemplate.of(this.transport
			.json(new Call("templates.render", "POST", "/templates/" + Transport.encoded(id) + "/render").repeatable()
				.json(body))
			.object("data"));
	}

	/**
	 * Render a template. Permission: templates.read.
	 */
	public RenderedTemplate render(String id, Consumer<Variables> fields) {
		Variables body = new Variables();
		fields.accept(body);
		return render(id, body);
	}

	/**
	 * Render a template and send it as a test mail. Permission: emails.send.
	 */
	public AcceptedEmail test(String id, TemplateTest body) {
		return AcceptedEmail
			.of(this.transport
				.json(new Call("templates.test", "POST", "/templates/" + Transport.encoded(id) + "/test").repeatable()
					.json(body))
				.object("data")
				.object("email"));
	}

	/**
	 * Render a template and send it as a test mail. Permission: emails.send.
	 */
	public AcceptedEmail test(String id, Consumer<TemplateTest> fields) {
		TemplateTest body = new TemplateTest();
		fields.accept(body);
		return test(id, body);
	}

}
