package dev.mailroom.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import dev.mailroom.cli.TemplateFolder.Content;
import dev.mailroom.cli.TemplateFolder.Locked;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands of templates, which are kept in a folder. */
@Command(name = "templates", addMethodSubcommands = false,
		description = "Keep templates in a folder, and see them in a browser.")
final class Templates {

	private static final String PATH = "/templates";

	private static final int MAX_TEMPLATES = 10_000;

	private final Session session;

	Templates(Session session) {
		this.session = session;
	}

	@Command(description = "Write the templates of the account into a folder. Changes in it are kept.")
	int pull(@Parameters(paramLabel = "FOLDER", description = "The folder, such as emails/.") Path root,
			@Option(names = "--force", description = "Replace what was changed in the folder.") boolean force) {
		TemplateFolder folder = new TemplateFolder(root);
		Map<String, Content> present = Files.isDirectory(root) ? folder.read() : Map.of();
		List<Row> rows = new ArrayList<>();
		for (Value template : this.session.api().list(PATH, "templates", MAX_TEMPLATES)) {
			String name = folder.folder(template);
			Content there = Content.of(template);
			Content here = present.get(name);
			String base = folder.lock(name).map(Locked::digest).orElse("");
			if (here != null && here.digest().equals(there.digest())) {
				folder.lock(name, template);
				rows.add(new Row(name, "unchanged", ""));
				continue;
			}
			boolean made = here != null && folder.isMade(name);
			if (made || (here != null && !here.digest().equals(base) && !force)) {
				boolean changed = !base.equals(there.digest());
				rows.add(new Row(name, changed ? "CONFLICT" : "kept",
						!changed ? "changed here only"
								: (made ? "its source is kept, but it was changed" : "changed here and")
										+ " on the server on " + template.at("updated_at").time()));
				continue;
			}
			folder.write(name, there);
			folder.lock(name, template);
			rows.add(new Row(name, (here == null) ? "new" : "changed", ""));
		}
		folder.save();
		return report(rows, "");
	}

	@Command(description = { "Store the changes of a folder on the server.",
			"A template that was changed on the server meanwhile is refused." })
	int push(@Parameters(paramLabel = "FOLDER", description = "The folder, such as emails/.") Path root,
			@Option(names = "--dry-run", description = "Only print what would be done.") boolean dryRun,
			@Option(names = "--force", description = "Replace what was changed on the server.") boolean force) {
		Api api = this.session.api();
		TemplateFolder folder = new TemplateFolder(root);
		Map<String, Value> byId = new LinkedHashMap<>();
		Map<String, Value> byName = new LinkedHashMap<>();
		api.list(PATH, "templates", MAX_TEMPLATES).forEach((template) -> {
			byId.put(template.at("id").raw(), template);
			byName.put(template.at("name").raw(), template);
		});
		List<Row> rows = new ArrayList<>();
		Map<String, Runnable> changes = new LinkedHashMap<>();
		folder.read().forEach((name, here) -> {
			Value known = folder.lock(name).map((lock) -> byId.get(lock.id())).orElse(null);
			Value there = (known != null) ? known : byName.get(here.name());
			if (there == null) {
				rows.add(new Row(name, "new", variables(null, here)));
				changes.put(name, () -> folder.lock(name, api.post(PATH, here.body()).at("data", "template")));
				return;
			}
			String base = (known != null) ? folder.lock(name).map(Locked::digest).orElse("") : "";
			String server = Content.of(there).digest();
			if (here.digest().equals(server)) {
				rows.add(new Row(name, "unchanged", ""));
				folder.lock(name, there);
			}
			else if (here.digest().equals(base)) {
				rows.add(new Row(name, "unchanged", "newer on the server; pull to get it"));
			}
			else if (server.equals(base) || force) {
				rows.add(new Row(name, "changed", difference(Content.of(there), here)));
				changes.put(name, () -> folder.lock(name,
						api.call("PATCH", Api.path(PATH, there.at("id").raw()), here.body()).at("data", "template")));
			}
			else {
				rows.add(new Row(name, "CONFLICT", "changed on the server on " + there.at("updated_at").time()
						+ "; see mailroom templates diff " + root.resolve(name)));
			}
		});
		boolean conflict = rows.stream().anyMatch((row) -> row.state().equals("CONFLICT"));
		if (!conflict && !dryRun) {
			try {
				changes.values().forEach(Runnable::run);
			}
			finally {
				folder.save();
			}
		}
		return report(rows, (conflict || dryRun) ? changes.size() + " would change. Nothing was pushed."
				: changes.size() + " pushed.");
	}

	@Command(description = "Show what a push of a template would change.")
	int diff(@Parameters(paramLabel = "FOLDER",
			description = "The folder of one template, such as emails/reset.") Path path) {
		Path whole = path.toAbsolutePath().normalize();
		TemplateFolder folder = new TemplateFolder(whole.resolveSibling("."));
		String name = String.valueOf(whole.getFileName());
		Content here = folder.read(name);
		Api api = this.session.api();
		String id = folder.lock(name).map(Locked::id).orElseGet(() -> api.id(PATH, "templates", here.name()));
		Content there = Content.of(api.get(Api.path(PATH, id)).at("data", "template"));
		List<String> lines = Differences.lines(there.lines(), here.lines());
		Output output = this.session.output();
		output.result(Map.of("template", name, "lines", lines), lines.stream()
			.map(Output::clean)
			.map((line) -> line.startsWith("+") ? output.green(line) : line.startsWith("-") ? output.red(line) : line)
			.toArray(String[]::new));
		return 0;
	}

	@Command(description = { "Show the templates of a folder in a browser while they are edited, until ^C.",
			"Values for placeholders are read from sample.json in the folder of a template." })
	int dev(@Parameters(paramLabel = "FOLDER", description = "The folder, such as emails/.") Path root,
			@Option(names = "--port", paramLabel = "PORT", defaultValue = "4000",
					description = "The port on this computer, 4000 by default.") int port,
			@Option(names = "--once", hidden = true, description = "Start and end, for tests.") boolean once)
			throws IOException {
		try (Preview preview = new Preview(root, port)) {
			this.session.output().result(Map.of("url", preview.url()), "Open " + preview.url() + " (^C to stop)");
			while (!once) {
				Emails.pause(Long.MAX_VALUE);
			}
		}
		return 0;
	}

	private int report(List<Row> rows, String end) {
		Output output = this.session.output();
		List<Object> values = new ArrayList<>();
		rows.forEach((row) -> values.add(Map.of("template", row.name(), "state", row.state(), "says", row.says())));
		List<String> lines = new ArrayList<>(output.lines(List.of("TEMPLATE", "STATE", ""),
				rows.stream()
					.map((row) -> List.of(Output.clean(row.name()),
							row.state().equals("CONFLICT") ? output.red(row.state()) : row.state(), row.says()))
					.toList()));
		lines.add(end);
		output.result(values, lines.toArray(String[]::new));
		return rows.stream().anyMatch((row) -> row.state().equals("CONFLICT")) ? Failure.REFUSED : 0;
	}

	private static String difference(Content there, Content here) {
		List<String> says = new ArrayList<>();
		says.add(count("html", there.html(), here.html()));
		says.add(count("text", there.text(), here.text()));
		says.add(String.valueOf(there.subject()).equals(String.valueOf(here.subject())) ? "" : "subject");
		says.add(variables(there, here));
		return String.join(", ", says.stream().filter((it) -> !it.isEmpty()).toList());
	}

	private static String count(String part, @Nullable String there, @Nullable String here) {
		List<String> lines = Differences.lines(((there != null) ? there : "").lines().toList(),
				((here != null) ? here : "").lines().toList());
		long more = lines.stream().filter((line) -> line.startsWith("+")).count();
		long less = lines.stream().filter((line) -> line.startsWith("-")).count();
		return (more + less > 0) ? part + " +" + more + " −" + less : "";
	}

	private static String variables(@Nullable Content there, Content here) {
		Set<String> names = new TreeSet<>(Placeholders.names(here));
		names.removeAll((there != null) ? Placeholders.names(there) : Set.of());
		return names.isEmpty() ? "" : "new variables " + String.join(" ", names);
	}

	/** Effect of a push on a template. */
	private record Row(String name, String state, String says) {
	}

}
