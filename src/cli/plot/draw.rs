//! Series → SVG.
//!
//! The background is white whatever the page is, and series differ in colour and in the shape of their points, so
//! that the picture can be read on a dark page and in black and white.

use super::series::Series;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;
use std::ops::Range;

/// A picture.
pub struct Chart<'a> {
    pub title: &'a str,
    pub x: Axis,
    pub y: Axis,
    /// Whether the points of a series are joined.
    pub joined: bool,
    /// A value on the vertical axis that is marked by a line.
    pub level: Option<f64>,
    pub series: &'a [Series],
}

/// One direction of a picture.
pub struct Axis {
    label: &'static str,
    scale: Scale,
}

/// How numbers are laid out.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
}

impl Axis {
    pub fn new(label: &'static str, scale: Scale) -> Axis {
        Axis { label, scale }
    }

    /// The numbers from end to end of the axis.
    fn range(&self, numbers: impl Iterator<Item = f64> + Clone) -> Range<f64> {
        let (least, most) = (
            numbers.clone().fold(f64::INFINITY, f64::min),
            numbers.fold(0.0, f64::max),
        );
        match self.scale {
            Scale::Logarithmic => {
                let decade = |x: f64| 10f64.powf(x);
                decade(least.log10().floor())..decade(most.log10().ceil().max(least.log10().floor() + 1.0))
            }
            // An axis begins at 0 unless that would leave most of it empty.
            Scale::Linear if least > most / 3.0 => (least - most / 20.0).floor()..most * 1.04,
            Scale::Linear => 0.0..(most * 1.04).max(1.0),
        }
    }
}

/// Pixels of the plot and of the legend beside it.
const SIZE: (u32, u32) = (680, 440);
const LEGEND: u32 = 240;
/// Pixels of a line of the legend.
const LINE: i32 = 20;
const FONT: &str = "sans-serif";

/// The colours of Okabe and Ito that stand out on white, which colour-blind people can tell apart as well.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(90, 90, 90),
    RGBColor(230, 159, 0),
];

/// The picture as text.
pub fn svg(chart: &Chart) -> Result<String, String> {
    let mut text = String::new();
    let height = SIZE.1.max((chart.series.len() as u32 + 3) * LINE as u32);
    {
        let root = SVGBackend::with_string(&mut text, (SIZE.0 + LEGEND, height)).into_drawing_area();
        draw(&root, chart).map_err(|error| format!("the plot cannot be drawn: {error}"))?;
    }
    Ok(text)
}

type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;
type Outcome = Result<(), Box<dyn std::error::Error>>;

fn draw(root: &Area, chart: &Chart) -> Outcome {
    root.fill(&WHITE)?;
    let (plot, legend) = root.split_horizontally(SIZE.0);
    let points = || chart.series.iter().flat_map(|series| &series.points);
    let x = chart.x.range(points().map(|point| point.0));
    let y = chart.y.range(points().map(|point| point.1));
    match (chart.x.scale, chart.y.scale) {
        (Scale::Linear, Scale::Linear) => draw_plot(&plot, chart, x, y)?,
        (Scale::Linear, Scale::Logarithmic) => draw_plot(&plot, chart, x, y.log_scale())?,
        (Scale::Logarithmic, Scale::Linear) => draw_plot(&plot, chart, x.log_scale(), y)?,
        (Scale::Logarithmic, Scale::Logarithmic) => draw_plot(&plot, chart, x.log_scale(), y.log_scale())?,
    }
    draw_legend(&legend, chart)?;
    root.present()?;
    Ok(())
}

fn draw_plot<X, Y>(area: &Area, chart: &Chart, x: X, y: Y) -> Outcome
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut context = ChartBuilder::on(area)
        .caption(chart.title, (FONT, 20))
        .margin(14)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(x, y)?;
    context
        .configure_mesh()
        .x_desc(chart.x.label)
        .y_desc(chart.y.label)
        .x_label_formatter(&|number| tick(*number, chart.x.scale))
        .y_label_formatter(&|number| tick(*number, chart.y.scale))
        .axis_desc_style((FONT, 16))
        .label_style((FONT, 14))
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(215, 215, 215))
        .draw()?;
    if let Some(level) = chart.level {
        let points = chart.series.iter().flat_map(|series| &series.points);
        let ends = chart.x.range(points.map(|point| point.0));
        context.draw_series(LineSeries::new([(ends.start, level), (ends.end, level)], BLACK))?;
    }
    for (place, series) in chart.series.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        if chart.joined {
            let line = LineSeries::new(series.points.iter().copied(), colour.stroke_width(2));
            context.draw_series(line)?;
        }
        for &point in &series.points {
            let (shape, style) = mark(place);
            match shape {
                Mark::Circle => context.draw_series([Circle::new(point, 4, style)])?,
                Mark::Triangle => context.draw_series([TriangleMarker::new(point, 5, style)])?,
                Mark::Cross => context.draw_series([Cross::new(point, 4, style)])?,
            };
        }
    }
    Ok(())
}

/// The shapes of points.
#[derive(Clone, Copy)]
enum Mark {
    Circle,
    Triangle,
    Cross,
}

/// The points of a series.
fn mark(series: usize) -> (Mark, ShapeStyle) {
    const MARKS: [(Mark, bool); 4] = [
        (Mark::Circle, true),
        (Mark::Circle, false),
        (Mark::Triangle, true),
        (Mark::Cross, false),
    ];
    let (shape, filled) = MARKS[series % MARKS.len()];
    let color = COLOURS[series % COLOURS.len()].to_rgba();
    (
        shape,
        ShapeStyle {
            color,
            filled,
            stroke_width: 2,
        },
    )
}

fn draw_legend(area: &Area, chart: &Chart) -> Outcome {
    for (place, series) in chart.series.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let y = 50 + LINE * place as i32;
        if chart.joined {
            area.draw(&PathElement::new([(4, y), (32, y)], colour.stroke_width(2)))?;
        }
        let (shape, style) = mark(place);
        match shape {
            Mark::Circle => area.draw(&Circle::new((18, y), 4, style))?,
            Mark::Triangle => area.draw(&TriangleMarker::new((18, y), 5, style))?,
            Mark::Cross => area.draw(&Cross::new((18, y), 4, style))?,
        }
        area.draw(&Text::new(series.name.clone(), (40, y - 7), (FONT, 14)))?;
    }
    Ok(())
}

/// A number beside an axis.
fn tick(number: f64, scale: Scale) -> String {
    match scale {
        Scale::Linear if number == number.trunc() => format!("{number:.0}"),
        Scale::Linear => format!("{number:.1}"),
        Scale::Logarithmic => {
            let exponent = number.log10().round();
            match (exponent * 2.0).abs() <= 6.0 {
                true => format!("{number}"),
                false => format!("1e{exponent}"),
            }
        }
    }
}
