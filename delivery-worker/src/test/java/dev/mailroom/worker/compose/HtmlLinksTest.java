package dev.mailroom.worker.compose;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import com.sun.management.ThreadMXBean;
import dev.mailroom.tracking.LinkTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

class HtmlLinksTest {

	@ParameterizedTest
	@CsvSource(delimiterString = " => ", quoteCharacter = '`', value = {
			"<a href=\"https://x.test/a\">x</a> => <a href=\"(https://x.test/a)\">x</a>",
			"<A class=b HREF=http://x.test/a?b=1&amp;c=2>x</A> => <A class=b HREF=(http://x.test/a?b=1&c=2)>x</A>",
			"<a href = 'https://x.test/\"q\"' id=i>x</a> => <a href = '(https://x.test/%22q%22)' id=i>x</a>",
			"<map><area href=https://x.test/ alt=x></map> => <map><area href=(https://x.test/) alt=x></map>",
			"<a href=https://x.test/><i>x</a> => <a href=(https://x.test/)><i>x</a>",
			"<b><a href='http://x.test'><i>x</b>y</i></a> => <b><a href='(http://x.test)'><i>x</b>y</i></a>",
			"<a href='http://1.test'>a<a href='http://2.test'>b</p></a> => <a href='(http://1.test)'>a<a href='(http://2.test)'>b</p></a>",
			"<table><a href='http://x.test'><tr><td>q</a> => <table><a href='(http://x.test)'><tr><td>q</a>",
			"<a href='http://x.test' href='http://y.test'>ü😀</a> => <a href='(http://x.test)' href='http://y.test'>ü😀</a>",
			"😀<a title='a>b' href='http://x.test/&#x66;&uuml;'>x</a> => 😀<a title='a>b' href='(http://x.test/f%C3%BC)'>x</a>" })
	void linksAreReplacedAndNothingElseChanges(String html, String replaced) {
		assertThat(replaced(html)).isEqualTo(replaced);
	}

	@ParameterizedTest
	@ValueSource(strings = {
			"<a href='mailto:a@b.test'>x</a><a href=tel:+1>x</a><a href='#top'>x</a><a href=\"/r\">x</a>",
			"<!-- <a href='http://x.test'>x</a> --><p>y", "<!--[if mso]><a href='http://x.test'>x</a><![endif]-->",
			"<style>a[href='http://x.test']{color:red}</style><a name=x>",
			"<a href>x</a><a href=>y</a><a href=''>z</a>",
			"<link href='http://x.test'><img src='http://x.test'><form action='http://x.test'></form>",
			"<base href='http://x.test/'><a href='page'>x</a>", "<!DOCTYPE html><?xml <a href='http://x.test'?>",
			"</a href='http://x.test'></ <a href='http://x.test'>",
			"<!--><!---><!-- --!><!----><b <!-- <a href='http://x.test'>", "<a title='<a href=\"http://x.test\">",
			"<title>a</titles><a href='http://x.test'></TITLE\n><a href='http://x.test'", "<a href", "<a href=",
			"<a href='http://x.test'", "<", "</", "<a", "<!--", "<!", "<plaintext><a href='http://x.test'>",
			"<textarea><a href='http://x.test'></textarea>", "<a data-no-track href='http://x.test'>x</a>",
			"<a href='{{url}}'>x</a>", "a < b & c > d", "",
			"<P>\r\n<bR/>&nbsp;&copy;<o:p></o:p><td>loose</TD></unknown>" })
	void otherReferencesAreUnchanged(String html) {
		assertThat(replaced(html)).isEqualTo(html);
	}

	@Test
	void linksInConditionalCommentsAreUnchanged() {
		String html = "<!--[if mso]><v:rect href='http://x.test'><![endif]--><!--[if !mso]><!--><a href='http://x.test'>"
				+ "x</a><!--<![endif]-->";
		assertThat(replaced(html)).isEqualTo(html.replace("<a href='http://x.test'", "<a href='(http://x.test)'"));
	}

	@ParameterizedTest
	@CsvSource(delimiterString = " => ",
			value = { "<html><BODY><p>x</BODY ></html> => <html><BODY><p>x!</BODY ></html>", "<p>x</p> => <p>x</p>!",
					"<p>x</p></html> => <p>x</p>!</html>",
					"<body>x</body><a href=\"http://x.test\">y</a> => <body>x!</body><a href=\"(http://x.test)\">y</a>",
					"<body><!-- </body> -->x</body> => <body><!-- </body> -->x!</body>", "x => x!" })
	void textIsAddedAtTheEndOfTheBody(String html, String expected) {
		assertThat(HtmlLinks.of(html).with((target) -> Optional.of("(" + target.url() + ")"), "!")).isEqualTo(expected);
	}

	@Test
	void repeatedTargetsAreReturnedOnce() {
		HtmlLinks links = HtmlLinks.of("<a href='http://x.test'>a</a><a href=\"http://x.test\">b</a>");
		assertThat(links.targets()).extracting(LinkTarget::url).containsExactly("http://x.test");
		assertThat(links.with((_) -> Optional.of("-"), "")).isEqualTo("<a href='-'>a</a><a href=\"-\">b</a>");
		assertThat(links.with((_) -> Optional.empty(), "")).contains("http://x.test");
	}

	@Test
	void aDocumentMayHaveVeryManyLinks() {
		String link = "<a href=http://x.test/>x</a>";
		String other = "<a href=" + "y".repeat(200) + ">x</a>";
		String written = HtmlLinks.of(link.repeat(100_000)).with((_) -> Optional.of("y".repeat(200)), "!");
		assertThat(written.equals(other.repeat(100_000) + "!")).isTrue();
	}

	private static String replaced(String html) {
		return HtmlLinks.of(html).with((target) -> Optional.of("(" + target.url() + ")"), "");
	}

	@Test
	void htmlOfTooManyLinksIsRefused() {
		assertThatExceptionOfType(Composer.Unrenderable.class)
			.isThrownBy(() -> HtmlLinks.of("<a href=a>".repeat(100_001)));
	}

	@Test
	void memoryIsProportionalToTheTextWhateverTagsAreNotClosed() {
		String bold = "<b" + IntStream.range(0, 512).mapToObj((n) -> " a" + n + "=1").collect(Collectors.joining())
				+ ">";
		String link = "<a href='http://x.test'>";
		for (String html : List.of(bold.repeat(12) + "<p>x".repeat(20_000) + link, "</p>".repeat(100_000) + link,
				"<a" + " href".repeat(100_000) + ">" + link, link + "<!--".repeat(100_000),
				link + "<style>" + "</styl".repeat(100_000))) {
			ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
			long before = thread.getCurrentThreadAllocatedBytes();
			String replaced = replaced(html);
			assertThat(thread.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000_000);
			assertThat(replaced.equals(html.replace("http://x.test", "(http://x.test)"))).isTrue();
		}
	}

}
