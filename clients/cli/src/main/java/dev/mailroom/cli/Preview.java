package dev.mailroom.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mailroom.cli.TemplateFolder.Content;
import dev.mailroom.sdk.Json;

/**
 * A page on this computer that shows the templates of a folder as they are now. Only the
 * loopback address is served, and the mails run no scripts.
 */
final class Preview implements AutoCloseable {

	private static final String STYLE = """
			<style>body{font:15px system-ui;margin:0;display:flex;color-scheme:light dark}
			nav{padding:16px;min-width:180px}nav a{display:block;padding:3px 0}main{flex:1;padding:16px}
			iframe{border:1px solid #8886;width:100%;height:70vh;background:#fff}
			iframe.phone{width:375px}iframe.dark{color-scheme:dark;background:#111}
			pre{white-space:pre-wrap;border:1px solid #8886;padding:12px}.missing{color:#c33}</style>""";

	private static final String SCRIPT = """
			<script>let seen='';setInterval(async()=>{const t=await(await fetch(location.pathname+'?state')).text();
			if(seen&&t!==seen)location.reload();seen=t},1000);
			const on=n=>document.querySelector('iframe').classList.toggle(n)</script>""";

	private static final int MAX_DEPTH = 4;

	private final HttpServer server;

	private final Path root;

	Preview(Path root, int port) throws IOException {
		if (!Files.isDirectory(root)) {
			throw Failure.usage("There is no folder " + root);
		}
		this.root = root;
		this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
		this.server.createContext("/", this::answer);
		this.server.start();
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/";
	}

	private void answer(HttpExchange exchange) throws IOException {
		String name = exchange.getRequestURI().getPath().substring(1);
		String query = String.valueOf(exchange.getRequestURI().getQuery());
		String host = String.valueOf(exchange.getRequestHeaders().getFirst("Host"));
		int status = 200;
		String body;
		try {
			// A page of another site may know the port, but not this name.
			boolean here = host.matches("(localhost|127\\.0\\.0\\.1)(:[0-9]+)?");
			if (query.equals("state")) {
				body = here ? state() : "";
			}
			else {
				Map<String, Content> templates = here ? new TemplateFolder(this.root).read() : Map.of();
				Content shown = templates.get(name);
				body = query.equals("html") && shown != null ? html(name, shown) : page(templates, name);
			}
		}
		catch (Failure | IllegalArgumentException ex) {
			status = 500;
			body = "<pre>" + Placeholders.escaped(String.valueOf(ex.getMessage())) + "</pre>" + SCRIPT;
		}
		byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
		exchange.getResponseHeaders().set("Content-Type", "text/html; charset=utf-8");
		exchange.sendResponseHeaders(status, bytes.length);
		exchange.getResponseBody().write(bytes);
		exchange.close();
	}

	/** The times of all files, as rendering takes longer. */
	private String state() throws IOException {
		try (Stream<Path> files = Files.find(this.root, MAX_DEPTH, (file, its) -> its.isRegularFile())) {
			return files.map((file) -> file + " " + file.toFile().lastModified())
				.sorted()
				.collect(Collectors.joining());
		}
	}

	private Map<?, ?> samples(String name) {
		Path file = this.root.resolve(name).resolve("sample.json");
		try {
			return Files.exists(file) && Json.read(Files.readString(file)) instanceof Map<?, ?> map ? map : Map.of();
		}
		catch (IOException ex) {
			return Map.of();
		}
	}

	private String html(String name, Content content) {
		return Placeholders.render(content.html(), true, samples(name), new TreeSet<>());
	}

	private String page(Map<String, Content> templates, String name) {
		StringBuilder page = new StringBuilder("<!doctype html><meta charset=utf-8><title>Templates</title>" + STYLE);
		page.append("<nav>");
		templates.keySet()
			.forEach((each) -> page.append("<a href=\"/")
				.append(Api.encoded(each))
				.append("\">")
				.append(Placeholders.escaped(each))
				.append("</a>"));
		page.append("</nav><main>");
		Content shown = templates.get(name);
		if (shown != null) {
			Set<String> missing = new TreeSet<>();
			Map<?, ?> samples = samples(name);
			String subject = Placeholders.render(shown.subject(), false, samples, missing);
			String text = Placeholders.render(shown.text(), false, samples, missing);
			Placeholders.render(shown.html(), true, samples, missing);
			page.append("<h1>").append(Placeholders.escaped(subject)).append("</h1>");
			if (!missing.isEmpty()) {
				page.append("<p class=missing>Without a value: ")
					.append(Placeholders.escaped(String.join(", ", missing)))
					.append(" (add them to sample.json)</p>");
			}
			page.append("<button onclick=\"on('phone')\">Phone</button> <button onclick=\"on('dark')\">Dark</button>");
			page.append("<iframe sandbox src=\"/").append(Api.encoded(name)).append("?html\"></iframe>");
			page.append("<pre>").append(Placeholders.escaped(text)).append("</pre>");
		}
		return page.append("</main>").append(SCRIPT).toString();
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
